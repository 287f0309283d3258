using PixelPool.Tests.Infrastructure;
using PixelPool.Tiers;

namespace PixelPool.Tests.Pooling;

/// <summary>Pieces that come back on another processor than their slab's: put aside without a lock, and claimed together.</summary>
public sealed class PiecesPutAsideTests : IDisposable
{
    private const int PieceBytes = 256;
    private const int Pieces = TestSystem.BlockBytes / PieceBytes;

    // An eighth of the slab.
    private const int HighestLimit = Pieces / 8;

    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(100)]
    [InlineData(Pieces)]
    public void Some_are_put_aside_but_never_all_that_are_in_use(int inUse)
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        (Slab slab, nint[] pieces) = Take(pool, inUse);
        int aside = PutAside(slab, pieces, inUse);
        Assert.InRange(aside, inUse < 4 ? 0 : 1, Math.Min(inUse / 2, HighestLimit));
        for (int i = aside; i < inUse; i++)
        {
            StatisticsAssert.Cut(pool, inUse: 1, empty: 0);
            slab.Return(pieces[i]);
        }

        // The last one finds the slab empty, whatever was put aside.
        StatisticsAssert.Cut(pool, inUse: 0, empty: 1);
        Assert.Equal(TestSystem.BlockBytes, pool.Trim());
        _system.Source.AssertAllFreed();
    }

    [Fact]
    public void Pieces_are_put_aside_again_after_a_claim()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        (Slab slab, nint[] pieces) = Take(pool, 200);
        int first = PutAside(slab, pieces, 200);
        Assert.Equal(HighestLimit - 1, first);
        Assert.Equal(0, slab.Owner.Return(slab, slab.IndexOf(pieces[first]), claim: true));
        Assert.Equal(HighestLimit - 1, PutAside(slab, pieces[(first + 1)..], 200));
    }

    [Fact]
    public void Claimed_pieces_are_handed_out_again_each_once()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool(capacityInBlocks: 1);
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(PieceBytes)!;
        (Slab slab, nint[] pieces) = Take(sizeClass, Pieces);
        for (int round = 0; round < 3; round++)
        {
            int aside = PutAside(slab, pieces, Pieces);
            Assert.Equal(HighestLimit - 1, aside);

            // The pool is full and the slab has no other piece: what was put aside is found.
            var again = new HashSet<nint>();
            for (int i = 0; i < aside; i++)
            {
                Assert.True(sizeClass.TryTake(out _, out nint address));
                Assert.True(again.Add(address));
            }

            Assert.True(again.SetEquals(pieces[..aside]));
            Assert.False(sizeClass.TryTake(out _, out _));
            StatisticsAssert.Cut(pool, inUse: 1, empty: 0);
        }
    }

    [Fact]
    public void Slab_that_runs_out_claims_before_another_block_is_taken()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(PieceBytes)!;
        (Slab slab, nint[] pieces) = Take(sizeClass, Pieces - 1);
        int aside = PutAside(slab, pieces, Pieces);
        for (int i = 0; i < aside + 1; i++)
        {
            Assert.True(sizeClass.TryTake(out Slab same, out _));
            Assert.Same(slab, same);
        }

        Assert.True(sizeClass.TryTake(out Slab other, out _));
        Assert.NotSame(slab, other);
        StatisticsAssert.Cut(pool, inUse: 2, empty: 0);
    }

    [Fact]
    public void Pieces_that_threads_put_aside_at_once_are_all_found()
    {
        using UniformUnmanagedMemoryPool pool = _system.CreatePool();
        SlabSizeClass sizeClass = new SlabTier(pool.Blocks).Find(PieceBytes)!;
        for (int round = 0; round < 300; round++)
        {
            (Slab slab, nint[] pieces) = Take(sizeClass, Pieces);
            Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, worker =>
            {
                for (int i = worker; i < Pieces; i += 4)
                {
                    // As from another processor, half of the time.
                    int piece = slab.IndexOf(pieces[i]);
                    if ((i & 4) == 0 || !slab.TryPushRemote(piece))
                    {
                        slab.Return(pieces[i]);
                    }
                }
            });
            StatisticsAssert.Cut(pool, inUse: 0, empty: 1);
        }
    }

    private static (Slab Slab, nint[] Pieces) Take(UniformUnmanagedMemoryPool pool, int count) =>
        Take(new SlabTier(pool.Blocks).Find(PieceBytes)!, count);

    private static (Slab Slab, nint[] Pieces) Take(SlabSizeClass sizeClass, int count)
    {
        nint[] pieces = new nint[count];
        Slab? first = null;
        for (int i = 0; i < count; i++)
        {
            Assert.True(sizeClass.TryTake(out Slab slab, out pieces[i]));
            first ??= slab;
            Assert.Same(first, slab);
        }

        return (first!, pieces);
    }

    // As many as are let in, the first ones.
    private static int PutAside(Slab slab, nint[] pieces, int most)
    {
        int aside = 0;
        while (aside < Math.Min(pieces.Length, most) && slab.TryPushRemote(slab.IndexOf(pieces[aside])))
        {
            aside++;
        }

        return aside;
    }
}
