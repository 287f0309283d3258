using PixelPool.Stress.Measuring;
using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory.Mixed;

/// <summary>Threads that hold pieces of random sizes, in a process of their own. The result is steps per second, of all together.</summary>
internal sealed class MixedRun(MixedJob job) : IRenterWork<double>
{
    public const int HeldPieces = 256;

    public static FreshProcess<MixedJob, double> Process { get; } =
        new("small-mixed-run", job => SmallContender.Named(job.Contender).Run(new MixedRun(job)));

    public double Run<TRenter, TImage>(TRenter renter)
        where TRenter : struct, IRenter<TImage>
        where TImage : struct
    {
        MixedWorker<TRenter, TImage>?[] workers = new MixedWorker<TRenter, TImage>?[job.Threads];
        for (int i = 0; i < workers.Length; i++)
        {
            int number = i;

            // What a thread holds, it has rented itself. The process ends, and the threads with it.
            new Thread(() =>
            {
                var worker = new MixedWorker<TRenter, TImage>(renter, new Random(job.Seed + number));
                Volatile.Write(ref workers[number], worker);
                worker.RunForEver();
            })
            { IsBackground = true }.Start();
        }

        return SteadyRate.Best(() => workers.Sum(worker => worker?.Steps ?? 0));
    }
}
