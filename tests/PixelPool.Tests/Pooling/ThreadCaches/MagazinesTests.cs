using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>What a thread keeps tells whether the thread only returns: then it may pass on.</summary>
public sealed class MagazinesTests : IDisposable
{
    private const int Size = 5;
    private const int Bytes = HeldArrays.Bytes;

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
    public void Before_it_was_full_nothing_is_known()
    {
        Assert.Equal(1, _kept.CountFull(Size));
    }

    [Fact]
    public void Returns_alone_are_seen()
    {
        Assert.False(_kept.HasRoom(Size, Bytes));
        _kept.RememberFull(Size, 2);
        Assert.Equal(3, _kept.CountFull(Size));

        var others = new Magazines(mostOfSize: 8, mostSmallBytes: 4 << 20, mostBlocks: 0);
        Assert.Equal(4, _kept.MoveFirst(4, Size, ref others));
        _kept.RememberFull(Size, 2);
        for (int i = 8; i < 12; i++)
        {
            Assert.True(_kept.TryAdd(Size, Bytes, _held.Guards[i]));
        }

        Assert.Equal(3, _kept.CountFull(Size));
        Assert.Equal(1, _kept.CountFull(Size + 1));
    }

    [Fact]
    public void A_rent_in_between_is_seen()
    {
        _kept.RememberFull(Size, 2);
        _kept.RemoveLast(Size, Bytes);
        Assert.Equal(1, _kept.CountFull(Size));
        Assert.True(_kept.TryAdd(Size, Bytes, _held.Guards[8]));
        Assert.Equal(1, _kept.CountFull(Size));
    }

    [Fact]
    public void A_rent_of_the_same_guard_is_seen()
    {
        _kept.RememberFull(Size, 2);
        _kept.RemoveLast(Size, Bytes);
        _held.Images[7].Dispose();
        Assert.True(_kept.TryAdd(Size, Bytes, _held.Guards[7]));
        Assert.Equal(1, _kept.CountFull(Size));
    }
}
