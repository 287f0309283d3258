using PixelPool.Accounts;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Pooling.ThreadCaches;

/// <summary>Caches pass small memory on, several guards at a time, and nobody waits for anybody there.</summary>
public sealed class TransferCacheTests : IDisposable
{
    private const int Size = 3;
    private const int Bytes = HeldArrays.Bytes;
    private const int MostOfSize = 16;

    private readonly HeldArrays _held = new(64);
    private readonly MemoryAccounts _accounts = new(new SilentListener());
    private readonly TransferCache _exchange;
    private Magazines _from = new(mostOfSize: 8, mostSmallBytes: 4 << 20, mostBlocks: 0);
    private Magazines _to = new(mostOfSize: 8, mostSmallBytes: 4 << 20, mostBlocks: 0);

    public TransferCacheTests() => _exchange = new TransferCache(_accounts);

    public void Dispose() => _held.Dispose();

    [Fact]
    public void Half_of_a_full_cache_goes_on_with_what_was_idle_longest()
    {
        Fill(8);
        Assert.True(_exchange.TryTakeOver(ref _from, Size, Bytes));
        Assert.Equal((4L * Bytes, 4), (_from.SmallBytes, _from.CountOf(Size)));
        Assert.Same(_held.Guards[7], _from.Last(Size));

        _exchange.HandOut(ref _to, Size);
        Assert.Equal((4L * Bytes, 4), (_to.SmallBytes, _to.CountOf(Size)));
        Assert.Same(_held.Guards[3], _to.Last(Size));
        _exchange.HandOut(ref _to, Size);
        Assert.Equal(4, _to.CountOf(Size));
        Assert.False(_exchange.HasAny());
        for (int i = 3; i >= 0; i--)
        {
            Assert.Same(_held.Guards[i], _to.Last(Size));
            _to.RemoveLast(Size, Bytes);
        }

        Assert.Null(_to.Last(Size));
    }

    [Fact]
    public void One_alone_goes_on_too()
    {
        Fill(1);
        Assert.True(_exchange.TryTakeOver(ref _from, Size, Bytes));
        Assert.Equal(0, _from.SmallBytes);
        Assert.Same(_held.Guards[0], _exchange.TakeSmall());
        Assert.Equal(0, _exchange.SmallBytes);
        Assert.Null(_exchange.TakeSmall());
    }

    [Fact]
    public void Only_so_many_wait_there()
    {
        int taken = 0;
        while (taken < 100)
        {
            Fill(1);
            if (!_exchange.TryTakeOver(ref _from, Size, Bytes))
            {
                break;
            }

            taken++;
        }

        Assert.Equal(MostOfSize, taken);
        Assert.Equal(Bytes, _from.SmallBytes);
    }

    [Fact]
    public void Other_sizes_are_not_handed_out()
    {
        Fill(8);
        Assert.True(_exchange.TryTakeOver(ref _from, Size, Bytes));
        _exchange.HandOut(ref _to, Size + 1);
        Assert.Equal(0, _to.SmallBytes);
    }

    [Fact]
    public void Nobody_waits_while_it_is_read()
    {
        Fill(8);
        Assert.True(_exchange.TryTakeOver(ref _from, Size, Bytes));
        _exchange.Pause();
        Assert.False(_exchange.TryTakeOver(ref _from, Size, Bytes));
        _exchange.HandOut(ref _to, Size);
        _exchange.Resume();
        Assert.Equal((4L * Bytes, 0L), (_from.SmallBytes, _to.SmallBytes));
        _exchange.HandOut(ref _to, Size);
        Assert.Equal(4L * Bytes, _to.SmallBytes);
    }

    [Fact]
    public void Nothing_goes_through_it_while_a_charge_is_read()
    {
        bool moved = false;
        Fill(8);
        _accounts.Open([new Looked(_accounts, () => moved |= _exchange.TryTakeOver(ref _from, Size, Bytes))], _exchange);
        long charge = 5;
        Assert.Equal((5, false), (_accounts.ReadCharge(ref charge), moved));
        Assert.True(_exchange.TryTakeOver(ref _from, Size, Bytes));
        Assert.Equal(5 - _exchange.SmallBytes, _accounts.ReadCharge(ref charge));
    }

    private void Fill(int count)
    {
        for (int i = _from.CountOf(Size); i < count; i++)
        {
            Assert.True(_from.TryAdd(Size, Bytes, _held.Guards[i]));
        }
    }

    // Something happens at each look at what it keeps.
    private sealed class Looked(MemoryAccounts accounts, Action look) : AccountStripe(accounts)
    {
        public override long ChargedIdleBytes
        {
            get
            {
                look();
                return 0;
            }
        }
    }
}
