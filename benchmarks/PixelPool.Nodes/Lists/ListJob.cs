using System.Diagnostics;
using PixelPool.Measuring;

namespace PixelPool.Nodes.Lists;

/// <summary>Several threads, each with a list of its own, step by step together; several times.</summary>
internal static class ListJob
{
    public const int Nodes = 10_000_000;

    private const int Steps = 3;

    // Capacity is no subject here, and eight threads hold more than the default allows on small machines.
    private const long Capacity = 1L << 33;

    public static ListResult Run(Contender contender, int threads, int passes)
    {
        using FixedBlockAllocator<Node> shared = Create();
        IListWork[] lists = [.. Enumerable.Range(0, threads).Select(_ => CreateList(contender, shared))];
        long[] times = new long[(Steps * passes) + 1];
        using var steps = new Barrier(threads, barrier => times[barrier.CurrentPhaseNumber] = Stopwatch.GetTimestamp());
        Thread[] running = [.. lists.Select(list => new Thread(() => Work(list, steps, passes)))];
        foreach (Thread thread in running)
        {
            thread.Start();
        }

        foreach (Thread thread in running)
        {
            thread.Join();
        }

        return new ListResult([.. Enumerable.Range(0, passes).Select(pass => new Pass(Step(pass, 0), Step(pass, 1), Step(pass, 2)))], ResidentMemory.Peak());

        double Step(int pass, int step) => Stopwatch.GetElapsedTime(times[(Steps * pass) + step], times[(Steps * pass) + step + 1]).TotalNanoseconds;
    }

    private static void Work(IListWork list, Barrier steps, int passes)
    {
        steps.SignalAndWait();
        for (int pass = 0; pass < passes; pass++)
        {
            list.Insert(Nodes);
            steps.SignalAndWait();
            if (list.Iterate() != Nodes * (Nodes - 1L) / 2)
            {
                throw new InvalidOperationException("A node has lost its value.");
            }

            steps.SignalAndWait();
            list.Clear();
            steps.SignalAndWait();
        }
    }

    private static IListWork CreateList(Contender contender, FixedBlockAllocator<Node> shared) => contender switch
    {
        Contender.Pooled => new UnmanagedList<PooledNodes>(new PooledNodes(shared)),
        Contender.Cleared => new UnmanagedList<ClearedNodes>(new ClearedNodes(Create())),
        Contender.Native => new UnmanagedList<NativeNodes>(default),
        _ => new ManagedList(),
    };

    private static FixedBlockAllocator<Node> Create() => new(new PixelAllocatorOptions { MaxPooledBytes = Capacity });
}
