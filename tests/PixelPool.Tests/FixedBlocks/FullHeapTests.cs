using System.Runtime.CompilerServices;
using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Managed memory runs out at each allocation in turn: what gives memory back goes on, and what fails leaves nothing behind.</summary>
[Trait("Category", "Long")]
public sealed unsafe class FullHeapTests
{
    private const int Plenty = 32 << 10;

    // What an operation allocates at most, and what lies between two objects.
    private const int MostBytes = 1600;
    private const int StepBytes = 16;
    private const int Items = 5;

    [Fact]
    public void Nothing_is_lost_wherever_managed_memory_runs_out() => ChildProcess.Run(Walk, FullHeap.Environment);

    private static void Walk()
    {
        using var pool = new UniformUnmanagedMemoryPool(new PixelAllocatorOptions { BlockBytes = TestSystem.BlockBytes, TrimPolicy = TrimPolicy.None });
        var heap = new FullHeap();

        // With what the runtime needs once.
        Use(pool, heap, Plenty);
        int refused = 0;
        for (int rest = FullHeap.LeastBytes; rest < MostBytes; rest += StepBytes)
        {
            refused += Use(pool, heap, rest);
            Collector.CollectAll();
            Assert.Equal(0, pool.GetStatistics().RentedBytes);
        }

        // The first half of the walk at least, and not all of it.
        const int Rounds = (MostBytes - FullHeap.LeastBytes) / StepBytes;
        Console.WriteLine($"{refused} of {2 * Rounds} were refused");
        Assert.InRange(refused, Rounds, (2 * Rounds) - 10);

        // No slot is that of two fixed-size heaps.
        int[] slots = [.. Enumerable.Range(0, 100).Select(static _ => HeapSlots.Take())];
        Assert.Equal(slots.Length, slots.Distinct().Count());
    }

    // How many of the two operations were refused that may be.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Use(UniformUnmanagedMemoryPool pool, FullHeap heap, int rest)
    {
        var used = new FixedBlockAllocator<Sized.Of40000>(pool, checksFrees: true);
        nint[] items = FixedBlockAllocatorTests.Allocate(used, Items);
        FixedBlockAllocator<Sized.Of40000>? created = null;
        Exception?[] refusals =
        [
            Do(static () => { }, () => created = new FixedBlockAllocator<Sized.Of40000>(pool, checksFrees: true)),
            Do(static () => { }, () => used.Allocate()),
        ];
        Exception?[] failures =
        [
            Do(RememberThread, () => used.Free((Sized.Of40000*)items[0])),
            Do(RememberThread, () => used.Free((Sized.Of40000*)items[1])),
        ];
        Assert.Equal(Items - 2 + (refusals[1] is null ? 1 : 0), used.Count);
        failures =
        [
            .. failures,
            Do(RememberThread, () =>
            {
                used.Free((Sized.Of40000*)items[2]);
                used.Trim();
                used.Clear();
                used.Dispose();
            }),
        ];
        created?.Dispose();
        Assert.All(failures, Assert.Null);
        refusals = [.. refusals.Where(static refusal => refusal is not null)];
        Assert.All(refusals, static refusal => Assert.IsType<OutOfMemoryException>(refusal));
        return refusals.Length;

        Exception? Do(Action prepare, Action operation)
        {
            Exception? failure = null;
            var thread = new Thread(() =>
            {
                prepare();
                heap.FillBut(rest);
                try
                {
                    operation();
                }
#pragma warning disable CA1031 // the test looks at it
                catch (Exception e)
                {
                    failure = e;
                }
#pragma warning restore CA1031

                heap.Release();
            });
            thread.Start();
            thread.Join();
            return failure;
        }
    }

    // The runtime allocates at the first look at what it keeps for a thread.
    private static void RememberThread() => ThreadHeaps.Find(HeapSlots.None);
}
