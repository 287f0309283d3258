using System.Runtime.CompilerServices;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;
using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory.Handover;

/// <summary>One thread rents, another returns, in a process of their own. Between the intervals the distance of their processors is measured.</summary>
internal sealed class HandoverRun(int bytes) : IRenterWork<HandoverInterval[]>
{
    public const int RingCapacity = 256;
    public const int Intervals = 16;

    private const int Batch = 64;

    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(1);

    public static TimeSpan Interval { get; } = TimeSpan.FromSeconds(0.2);

    public static FreshProcess<HandoverJob, HandoverInterval[]> Process { get; } =
        new("small-handover-run", job => SmallContender.Named(job.Contender).Run(new HandoverRun(job.Bytes)));

    public HandoverInterval[] Run<TRenter, TImage>(TRenter renter)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        var ring = new HandoverRing<TImage>(RingCapacity);
        var meter = new HopMeter();
        int pixels = bytes / sizeof(uint);

        // The process ends, and they with it.
        Start(() => SendOrAnswer(renter, ring, pixels, meter));
        Start(() => ReturnOrAnswer(renter, ring, meter));
        Thread.Sleep(s_warmUp);
        return Measure(ring, meter);
    }

    private static HandoverInterval[] Measure<TImage>(HandoverRing<TImage> ring, HopMeter meter)
        where TImage : struct
    {
        var intervals = new HandoverInterval[Intervals];
        double before = meter.MeasureNanoseconds();
        for (int i = 0; i < Intervals; i++)
        {
            double rate = SteadyRate.Next(() => ring.DoneCount, Interval);
            double after = meter.MeasureNanoseconds();
            intervals[i] = new HandoverInterval(rate, Math.Min(before, after), Math.Max(before, after));
            before = after;
        }

        return intervals;
    }

    private static void Start(Action batch) => new Thread(() =>
    {
        while (true)
        {
            batch();
        }
    })
    { IsBackground = true }.Start();

    private static void SendOrAnswer<TRenter, TImage>(TRenter renter, HandoverRing<TImage> ring, int pixels, HopMeter meter)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        meter.Answer(0);
        SendMany(renter, ring, pixels);
    }

    // Never waits for an item when the sender answers.
    private static void ReturnOrAnswer<TRenter, TImage>(TRenter renter, HandoverRing<TImage> ring, HopMeter meter)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        SpinWait spin = default;
        while (!ring.HasItem)
        {
            meter.Answer(1);
            spin.SpinOnce(sleep1Threshold: -1);
        }

        ReturnMany(renter, ring);
    }

    // Methods of their own: what is called often is compiled as it would be in an application.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void SendMany<TRenter, TImage>(TRenter renter, HandoverRing<TImage> ring, int pixels)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        for (int i = 0; i < Batch; i++)
        {
            TImage image = renter.Rent(pixels, 1);
            renter.Touch(image);
            ring.Send(image);
        }
    }

    // As many as the sender sends at a time: it waits for none that do not come.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnMany<TRenter, TImage>(TRenter renter, HandoverRing<TImage> ring)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        for (int i = 0; i < Batch; i++)
        {
            TImage image = ring.Receive();
            ring.MarkDone();
            renter.Touch(image);
            renter.Return(image);
        }
    }
}
