using System.Diagnostics;
using System.Runtime.CompilerServices;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>One thread that rents and returns. It looks at the clock before and after every 64th rent only: that takes as long as a rent.</summary>
internal sealed class RentLoop<TRent>(TRent rent)
    where TRent : struct, IUntouchedRent
{
    private const int RentsPerSample = 64;

    public LatencyHistogram Latencies { get; } = new();

    public long Rents { get; private set; }

    public void RunUntil(StopSignal stop)
    {
        long rents = 0;
        while (!stop.IsSet)
        {
            RentManyTimes();
            rents += RentsPerSample;
        }

        rent.End();
        Rents = rents;
    }

    /// <summary>A method of its own: one that is called often is compiled as it would be in an application.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RentManyTimes()
    {
        long start = Stopwatch.GetTimestamp();
        rent.RentAndReturn();
        Latencies.Record(Stopwatch.GetTimestamp() - start);
        for (int i = 1; i < RentsPerSample; i++)
        {
            rent.RentAndReturn();
        }
    }
}
