using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>An array that was taken before it turned out that the budget has no room for it is nobody's afterwards.</summary>
public sealed class RefusedArrayTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 64)]
    public void It_is_pinned_no_longer(bool clearOnReturn, int rowAlignmentBytes)
    {
        var arrays = new LongArrayPool();
        using PixelAllocator allocator = _system.CreateAllocator(configure: options =>
        {
            options.ArrayPool = arrays;
            options.SmallBuffers = SmallBufferStrategy.ArrayPool;
            options.MaxRentedBytes = Block;
            options.ClearOnReturn = clearOnReturn;
            options.RowAlignmentBytes = rowAlignmentBytes;
        });

        // A block would not fit either.
        using ExternalCharge others = allocator.ChargeExternal(Block / 2);
        Refuse(allocator);
        Assert.NotEmpty(arrays.Rented);
        Assert.Equal(arrays.Rented.Count, arrays.Returned);
        Collector.CollectAll();
        Assert.All(arrays.Rented, static array => Assert.False(array.IsAlive));
        Assert.Equal(Block / 2, allocator.GetStatistics().ChargedBytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Refuse(PixelAllocator allocator) => Assert.False(allocator.TryRent<byte>(100, 1, out _));

    /// <summary>Arrays that are longer than a budget of one block, and are forgotten when they come back.</summary>
    private sealed class LongArrayPool : ArrayPool<byte>
    {
        public List<WeakReference> Rented { get; } = [];

        public int Returned { get; private set; }

        public override byte[] Rent(int minimumLength)
        {
            byte[] array = new byte[minimumLength + Block];
            Rented.Add(new WeakReference(array));
            return array;
        }

        public override void Return(byte[] array, bool clearArray = false) => Returned++;
    }
}
