using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>Each allocator looks after collections, and allocates for it, as the pool of threads does. Where that makes the collector run, it comes to an end.</summary>
[Trait("Category", "Long")]
public sealed class EndlessCollectionTests
{
    private const int Allocators = 20;

    [Fact]
    public void A_collection_for_lack_of_memory_brings_no_other_without_end() => ChildProcess.Run(Collect, FullHeap.Environment);

    private static void Collect()
    {
        var allocators = new PixelAllocator[Allocators];
        for (int i = 0; i < Allocators; i++)
        {
            allocators[i] = PixelAllocator.Create(new PixelAllocatorOptions { SmallBuffers = SmallBufferStrategy.Slab });
            allocators[i].Rent<byte>(1000, 1000).Dispose();
        }

        // From then on it looks after collections.
        Task.Run(static () => { }).Wait();
        var heap = new FullHeap();
        int collections = 0;
        var thread = new Thread(() =>
        {
            heap.FillBut(2 * FullHeap.LeastBytes);
            int before = GC.CollectionCount(2);

            // Until nothing is left to do. Without an end that would never be so.
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Volatile.Write(ref collections, GC.CollectionCount(2) - before);
            heap.Release();
        });
        thread.IsBackground = true;
        thread.Start();
        bool ended = thread.Join(TimeSpan.FromSeconds(30));
        if (!ended)
        {
            heap.Release();
        }

        Assert.True(ended);
        Assert.InRange(collections, 1, 1000);
        GC.KeepAlive(allocators);
    }
}
