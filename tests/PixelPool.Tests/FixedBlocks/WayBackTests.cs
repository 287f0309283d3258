using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>What gives memory back needs none: it is what programs do when there is none left.</summary>
public sealed unsafe class WayBackTests : IDisposable
{
    private const int Rounds = 100;
    private const int Blocks = 5;

    private readonly TestSystem _system = new();

    public void Dispose()
    {
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Free_allocates_nothing(bool checksFrees) => AssertAllocatesNothing(checksFrees, static (allocator, items) =>
    {
        foreach (nint item in items)
        {
            allocator.Free((Sized.Of40000*)item);
        }
    });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Clear_allocates_nothing(bool checksFrees) => AssertAllocatesNothing(checksFrees, static (allocator, _) => allocator.Clear());

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Trim_allocates_nothing(bool checksFrees) => AssertAllocatesNothing(checksFrees, static (allocator, _) => allocator.Trim());

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Dispose_allocates_nothing(bool checksFrees) => AssertAllocatesNothing(checksFrees, static (allocator, _) => allocator.Dispose());

    // The runtime may allocate now and then: the cheapest of many rounds is the price.
    private void AssertAllocatesNothing(bool checksFrees, Action<FixedBlockAllocator<Sized.Of40000>, nint[]> wayBack)
    {
        long least = long.MaxValue;
        for (int i = 0; i < Rounds; i++)
        {
            using var allocator = new FixedBlockAllocator<Sized.Of40000>(_system.Options(), checksFrees);
            nint[] items = FixedBlockAllocatorTests.Allocate(allocator, Blocks);
            long before = GC.GetAllocatedBytesForCurrentThread();
            wayBack(allocator, items);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, least);
    }
}
