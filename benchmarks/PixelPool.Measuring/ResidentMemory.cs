using System.Buffers.Text;
using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace PixelPool.Measuring;

/// <summary>The memory of this process that really is memory, as the kernel counts it.</summary>
public static class ResidentMemory
{
    private static readonly SafeFileHandle? s_statm = OperatingSystem.IsLinux() ? File.OpenHandle("/proc/self/statm") : null;

    private static readonly Lock s_lock = new();

    /// <summary>What <see cref="Current"/> said: the kernel adds pages up in portions, and may learn of a peak later or not at all.</summary>
    private static long s_highest;

    /// <summary>Allocates nothing on Linux: displays ask often.</summary>
    public static long Current()
    {
        long resident = Read();
        lock (s_lock)
        {
            s_highest = Math.Max(s_highest, resident);
        }

        return resident;
    }

    /// <summary>Not below anything that <see cref="Current"/> said since <see cref="ResetPeak"/>.</summary>
    public static long Peak()
    {
        lock (s_lock)
        {
            return Math.Max(s_highest, PeakOfSystem());
        }
    }

    private static long Read()
    {
        if (s_statm is null)
        {
            using var process = Process.GetCurrentProcess();
            return process.WorkingSet64;
        }

        // Pages: the whole address space, then what is resident of it, and more that does not matter here.
        Span<byte> text = stackalloc byte[128];
        text = text[..RandomAccess.Read(s_statm, text, fileOffset: 0)];
        return Utf8Parser.TryParse(text[(text.IndexOf((byte)' ') + 1)..], out long pages, out _) ? pages * Environment.SystemPageSize : 0;
    }

    private static long PeakOfSystem()
    {
        if (!OperatingSystem.IsLinux())
        {
            using var process = Process.GetCurrentProcess();
            return process.PeakWorkingSet64;
        }

        string line = File.ReadLines("/proc/self/status").First(line => line.StartsWith("VmHWM:", StringComparison.Ordinal));
        return long.Parse(line["VmHWM:".Length..^" kB".Length]) * 1024;
    }

    /// <summary>Forgets the peak that starting up and making test photos left behind, where the system can.</summary>
    public static void ResetPeak()
    {
        lock (s_lock)
        {
            s_highest = 0;
        }

        try
        {
            if (OperatingSystem.IsLinux())
            {
                File.WriteAllText("/proc/self/clear_refs", "5");
            }
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            // Not every kernel lets a process do this. The peak is then that of the whole process.
        }
    }
}
