using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>What a thread keeps tells whether the thread only returns: then it may pass on.</summary>
public sealed class MagazinesTests : IDisposable
{
    private const int Size = 5;
    private const int Bytes = HeldArrays.Bytes;
    private const int Most = 3;

    private readonly HeldArrays _held = new(12);
    private Magazines _kept = new(mostOfSize: 8, mostSmallBytes: 4 << 20, mostBlocks: 0);

    public MagazinesTests()
    {
        for (int i = 0; i < 8; i++)
        {
            Assert.True(_kept.TryAdd(Size, Bytes, _held.Guards[i]));
        }
    }

    public void Dispose() => _held.Dispose();

    [Fact]
    public void Returns_alone_are_counted_also_when_some_are_passed_on()
    {
        Assert.False(_kept.HasRoom(Size, Bytes));
        Assert.Equal(1, _kept.CountFull(Size, Most));
        var others = new Magazines(mostOfSize: 8, mostSmallBytes: 4 << 20, mostBlocks: 0);
        Assert.Equal(4, _kept.MoveFirst(4, Size, ref others));
        for (int i = 8; i < 12; i++)
        {
            Assert.True(_kept.TryAdd(Size, Bytes, _held.Guards[i]));
        }

        Assert.Equal(2, _kept.CountFull(Size, Most));
        Assert.Equal(1, _kept.CountFull(Size + 1, Most));
        for (int i = 0; i < Most; i++)
        {
            Assert.Equal(Most, _kept.CountFull(Size, Most));
        }
    }

    [Fact]
    public void A_rent_in_between_is_seen()
    {
        Assert.Equal(1, _kept.CountFull(Size, Most));
        _kept.RemoveLast(Size, Bytes);
        Assert.True(_kept.TryAdd(Size, Bytes, _held.Guards[8]));
        Assert.Equal(1, _kept.CountFull(Size, Most));
    }
}
