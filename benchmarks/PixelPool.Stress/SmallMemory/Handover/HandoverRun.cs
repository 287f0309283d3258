using System.Runtime.CompilerServices;
using PixelPool.Measuring;
using PixelPool.Stress.Measuring;
using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory.Handover;

/// <summary>One thread rents, another returns, in a process of their own. The result is hand-overs per second.</summary>
internal sealed class HandoverRun(int bytes) : IRenterWork<double>
{
    public const int RingCapacity = 256;

    private const int Batch = 64;

    public static FreshProcess<HandoverJob, double> Process { get; } =
        new("small-handover-run", job => SmallContender.Named(job.Contender).Run(new HandoverRun(job.Bytes)));

    public double Run<TRenter, TImage>(TRenter renter)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        var ring = new HandoverRing<TImage>(RingCapacity);
        int pixels = bytes / sizeof(uint);

        // The process ends, and they with it.
        Start(() => SendMany(renter, ring, pixels));
        Start(() => ReturnMany(renter, ring));
        return SteadyRate.Best(() => ring.DoneCount);
    }

    private static void Start(Action batch) => new Thread(() =>
    {
        while (true)
        {
            batch();
        }
    })
    { IsBackground = true }.Start();

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
