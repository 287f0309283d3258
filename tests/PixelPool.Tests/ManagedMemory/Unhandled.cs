using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>What would have ended the process: threads and finalizers of the base library run out of memory, too, and those are no concern of a test.</summary>
internal static class Unhandled
{
    private const int Most = 64;

    private static readonly Exception?[] s_seen = new Exception[Most];
    private static int s_count;

    /// <summary>From now on the process goes on.</summary>
    public static void Watch()
    {
        ExceptionHandling.SetUnhandledExceptionHandler(Remember);

        // While there is memory for what the runtime needs at a first time, of a thread, of a finalizer, and of a message: without memory no text of an exception could be made ever after.
        _ = new TypeInitializationException(nameof(Unhandled), new OutOfMemoryException()).ToString();

        // And no text of a number: who looks for the lines of a stack without memory would be the first to need this.
        _ = NumberFormatInfo.InvariantInfo;
        var thread = new Thread(static () => throw new OutOfMemoryException());
        thread.Start();
        thread.Join();
        Drop();
        Collector.CollectAll();
        Assert.Equal(2, s_count);
        Forget();
    }

    /// <summary>Throws unless all of it was the base library's.</summary>
    public static void Check()
    {
        foreach (Exception? seen in s_seen)
        {
            string? stack = seen?.ToString();
            Assert.DoesNotContain("at PixelPool.", stack ?? string.Empty, StringComparison.Ordinal);
        }
    }

    /// <summary>Whether what was handed to the thread pool may be lost: a thread of the pool ended without memory. With it the process would have ended, in any application.</summary>
    public static bool MayHaveLostWork => s_seen.Any(static seen => seen is not null && !seen.ToString().Contains("Gen2GcCallback", StringComparison.Ordinal));

    /// <summary>From now on nothing is lost.</summary>
    public static void Forget()
    {
        Array.Clear(s_seen);
        s_count = 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop() => _ = new Failing();

    // Without memory.
    private static bool Remember(Exception exception)
    {
        int index = Interlocked.Increment(ref s_count) - 1;
        if (index < Most)
        {
            s_seen[index] = exception;
        }

        return true;
    }

    private sealed class Failing
    {
#pragma warning disable CA1065 // what this is for
        ~Failing() => throw new OutOfMemoryException();
#pragma warning restore CA1065
    }
}
