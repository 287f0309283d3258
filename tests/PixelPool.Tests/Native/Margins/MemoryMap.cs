using System.Globalization;

namespace PixelPool.Tests.Native.Margins;

/// <summary>What is mapped in this process, as Linux tells it at one moment.</summary>
internal sealed class MemoryMap
{
    private readonly List<(nint Start, nint End)> _readable = [];

    private MemoryMap(string[] lines)
    {
        Mappings = lines.Length;
        foreach (string line in lines)
        {
            string[] columns = line.Split(' ', 3);
            string[] range = columns[0].Split('-');
            if (columns[1][0] == 'r')
            {
                Add(Parse(range[0]), Parse(range[1]));
            }
        }
    }

    /// <summary>Mappings, readable or not: what <c>vm.max_map_count</c> limits.</summary>
    public int Mappings { get; }

    public static MemoryMap Read() => new(File.ReadAllLines("/proc/self/maps"));

    /// <summary>Whether every byte of the range can be read.</summary>
    public bool IsReadable(nint start, nint end) => _readable.Exists(range => range.Start <= start && end <= range.End);

    /// <summary>Whether nothing readable is in the range.</summary>
    public bool IsUnreadable(nint start, nint end) => !_readable.Exists(range => range.Start < end && start < range.End);

    // The kernel's lines are in order. Those that touch are one range here.
    private void Add(nint start, nint end)
    {
        if (_readable.Count != 0 && _readable[^1].End == start)
        {
            _readable[^1] = (_readable[^1].Start, end);
            return;
        }

        _readable.Add((start, end));
    }

    // Places of the kernel, beyond what a pointer of a process can be, are negative.
    private static nint Parse(string address) => (nint)ulong.Parse(address, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
}
