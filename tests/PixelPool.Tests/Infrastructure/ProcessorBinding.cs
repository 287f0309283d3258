using System.Runtime.InteropServices;

namespace PixelPool.Tests.Infrastructure;

/// <summary>Binds threads to processors, so that a test says which stripe they use.</summary>
internal static unsafe partial class ProcessorBinding
{
    /// <summary>Whether threads can be bound to processors 0 and 1.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux() && CanBind();

    /// <summary>Binds the calling thread, for as long as it runs.</summary>
    /// <returns>False when there is no such processor, or this process may not use it.</returns>
    public static bool TryBind(int processor)
    {
        ulong mask = 1UL << processor;
        return sched_setaffinity(0, sizeof(ulong), &mask) == 0;
    }

    // On a thread of its own, which keeps the binding.
    private static bool CanBind()
    {
        bool canBind = false;
        var thread = new Thread(() => canBind = TryBind(processor: 0) && TryBind(processor: 1));
        thread.Start();
        thread.Join();
        return canBind;
    }

    [LibraryImport("libc")]
    private static partial int sched_setaffinity(int thread, nint bytes, ulong* mask);
}
