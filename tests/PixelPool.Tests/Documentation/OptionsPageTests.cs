using System.Buffers;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using PixelPool.Configuration;

namespace PixelPool.Tests.Documentation;

/// <summary>What <c>docs/options.md</c> says of each option is so: its default, and the name of its environment variable.</summary>
public sealed partial class OptionsPageTests
{
    private static readonly string[][] s_rows =
    [
        .. File.ReadAllLines(Path.Combine(MarkdownPage.Root(), "docs/options.md"))
            .Where(static line => line.StartsWith("| `", StringComparison.Ordinal))
            .Select(static line => line.Split('|')[1..^1].Select(static cell => cell.Trim()).ToArray())
#if LIBRARY_NETSTANDARD
            .Where(static cells => cells.Length == 4 && cells[0] != "`MeterFactory`"), // that build has no meter
#else
            .Where(static cells => cells.Length == 4),
#endif
    ];

    private static readonly string[] s_names =
        [.. typeof(PixelAllocatorOptions).GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(static option => option.Name)];

    public static TheoryData<string> Options => [.. s_names];

    [Theory]
    [MemberData(nameof(Options))]
    public void Each_option_has_a_row_with_its_default_and_its_variable(string option)
    {
        string[] row = Assert.Single(s_rows, cells => cells[0] == $"`{option}`");

        // Of no process: the one that runs the tests may have settings.
        var options = new PixelAllocatorOptions(
            new ProcessSettings([], PixelAllocatorOptions.FindProblem, new Dictionary<string, string>(), static _ => null));
        Assert.Equal(Write(option, typeof(PixelAllocatorOptions).GetProperty(option)!.GetValue(options)), row[1]);
        string variable = "PIXELPOOL_" + InnerCapital().Replace(option, "_$0").ToUpperInvariant();
        Assert.Equal(PixelAllocatorOptions.OperatorSettings.Contains(option) ? $"`{variable}`" : string.Empty, row[3]);
    }

    [Fact]
    public void The_table_has_no_other_rows() =>
        Assert.Equal(s_names.Select(static option => $"`{option}`").Order(StringComparer.Ordinal), s_rows.Select(static row => row[0]).Order(StringComparer.Ordinal));

    private static string Write(string option, object? value) => value switch
    {
        null => "null",
        bool isOn => isOn ? "`true`" : "`false`",
        TimeSpan time => time == TimeSpan.Zero ? "zero" : $"{time.TotalSeconds.ToString(CultureInfo.InvariantCulture)} seconds",
        int count when !option.EndsWith("Bytes", StringComparison.Ordinal) => count.ToString(CultureInfo.InvariantCulture),
        int bytes => bytes < 1024 ? Plural.Of(bytes, "byte") : ByteSize.Format(bytes),
        ArrayPool<byte> pool => pool == ArrayPool<byte>.Shared ? "`ArrayPool<byte>.Shared`" : "another pool",
        TimeProvider clock => clock == TimeProvider.System ? "`TimeProvider.System`" : "another clock",
        MemoryPressureSource source => source == MemoryPressureSource.System ? "`MemoryPressureSource.System`" : "another source",
        _ => $"`{value}`",
    };

    [GeneratedRegex("(?<=.)[A-Z]")]
    private static partial Regex InnerCapital();
}
