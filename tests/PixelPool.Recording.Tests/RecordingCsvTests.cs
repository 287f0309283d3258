using System.Globalization;
using PixelPool.Diagnostics;

namespace PixelPool.Recording.Tests;

public class RecordingCsvTests
{
    private const string Header =
        "elapsed_seconds,resident_bytes,rented_bytes,idle_bytes,budget_bytes,charged_bytes,waiting_rents,waits,trimmed_bytes,leaked_rents,leaked_bytes,moment\n";

    private static readonly MemorySample[] s_samples =
    [
        new(TimeSpan.Zero, 1000, new PixelPoolStatistics { RentedBytes = 1, IdleBytes = 2, BudgetBytes = 3, ChargedBytes = 4, WaitingRents = 5 }),
        new(TimeSpan.FromMicroseconds(1500.1), 2000, new PixelPoolStatistics { Waits = 6, LeakedCount = 8, LeakedBytes = 9 }),
        new(TimeSpan.FromHours(3), 1L << 40, new PixelPoolStatistics { TrimmedByTimerBytes = 3, TrimmedByBudgetBytes = 4 }),
    ];

    [Fact]
    public void Every_sample_is_a_line() => AssertCsv(
        """
        0,1000,1,2,3,4,5,0,0,0,0,
        0.0015,2000,0,0,,0,0,6,0,8,9,
        10800,1099511627776,0,0,,0,0,0,7,0,0,

        """,
        new MemoryRecording("name", s_samples, []));

    [Fact]
    public void Without_an_allocator_its_columns_are_empty() => AssertCsv(
        """
        0,1000,,,,,,,,,,
        0.0015,2000,,,,,,,,,,

        """,
        new MemoryRecording(null, [.. s_samples.Take(2).Select(static sample => sample with { Pool = default })], []));

    [Fact]
    public void Moments_stand_at_the_end_of_their_sample_s_line_quoted_where_they_must_be() => AssertCsv(
        """"
        0,1000,,,,,,,,,,"one, ""two"""
        0.0015,2000,,,,,,,,,,
        10800,1099511627776,,,,,,,,,,plain

        """",
        new MemoryRecording(
            null, s_samples, [new MemoryMoment("one, \"two\"", s_samples[0]), new MemoryMoment("plain", s_samples[2])]));

    [Fact]
    public void Nothing_recorded_is_a_header() => AssertCsv(string.Empty, new MemoryRecording("name", [], []));

    [Fact]
    public void Every_line_has_a_column_for_each_heading()
    {
        using var writer = new StringWriter();
        new MemoryRecording("name", s_samples, []).WriteCsv(writer);
        Assert.All(writer.ToString().TrimEnd('\n').Split('\n'), static line => Assert.Equal(12, line.Split(',').Length));
    }

    private static void AssertCsv(string expected, MemoryRecording recording)
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("de-DE");
            using var writer = new StringWriter();
            recording.WriteCsv(writer);
            Assert.Equal(Header + expected, writer.ToString());
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }
}
