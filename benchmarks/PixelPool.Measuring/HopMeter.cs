using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace PixelPool.Measuring;

/// <summary>
/// How long it takes until one thread sees what another one wrote. A virtual machine does not say how far its processors are from each other, and its host moves them
/// while a program runs.
/// </summary>
/// <remarks>The two threads that are measured call <see cref="Answer"/> between two pieces of their work. A third one measures.</remarks>
public sealed class HopMeter
{
    private const int Batch = 256;

    // Threads that are in the middle of their work come later.
    private static readonly TimeSpan s_gathering = TimeSpan.FromMilliseconds(4);
    private static readonly TimeSpan s_counting = TimeSpan.FromMilliseconds(16);

    private HopState _state;

    /// <summary>Answers the other thread while somebody measures; otherwise it does nothing.</summary>
    /// <param name="side">0 for one of the two, 1 for the other.</param>
    public void Answer(int side)
    {
        while (Volatile.Read(ref _state.IsAsked))
        {
            AnswerMany(side);
        }
    }

    /// <summary>Measures: takes 20 milliseconds.</summary>
    /// <returns>Nanoseconds from one thread to the other; millions when the two did not run at the same time.</returns>
    public double MeasureNanoseconds()
    {
        Volatile.Write(ref _state.IsAsked, true);
        Thread.Sleep(s_gathering);
        long before = Volatile.Read(ref _state.Hops);
        long start = Stopwatch.GetTimestamp();
        Thread.Sleep(s_counting);
        long hops = Volatile.Read(ref _state.Hops) - before;
        TimeSpan time = Stopwatch.GetElapsedTime(start);
        Volatile.Write(ref _state.IsAsked, false);
        return time.TotalNanoseconds / Math.Max(1, hops);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AnswerMany(int side)
    {
        for (int i = 0; i < Batch; i++)
        {
            long hops = Volatile.Read(ref _state.Hops);
            if ((hops & 1) == side)
            {
                Volatile.Write(ref _state.Hops, hops + 1);
            }
        }
    }
}
