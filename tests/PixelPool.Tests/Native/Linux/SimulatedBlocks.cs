using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>One thread that takes, moves and gives back memory of a source on a <see cref="FakeKernel"/>, and knows what it holds and what is in it.</summary>
internal sealed class SimulatedBlocks(FakeKernel kernel, LinuxBlockSource source, int blockBytes, Random random)
{
    // Runs of blocks, and pieces, with what was written to them.
    private readonly List<(nint Start, int Blocks, int Content)> _runs = [];
    private readonly List<(nint Start, nint Bytes, int Content)> _pieces = [];

    private int Held => _runs.Sum(static run => run.Blocks);

    public void Step()
    {
        switch (random.Next(10))
        {
            case < 3:
                Allocate(random.Next(1, 6));
                break;
            case 3:
                AllocatePiece(random.Next(1, 4 * blockBytes));
                break;
            case < 6:
                Assemble(random.Next(2, 8), random.Next(3));
                break;
            case < 9:
                Release(random.Next(1, 8));
                break;
            default:
                ReleasePiece();
                break;
        }
    }

    /// <summary>All of it is there, with what was written to it, between margins.</summary>
    public void Verify()
    {
        foreach ((nint start, int blocks, int content) in _runs)
        {
            Verify(start, (nint)blocks * blockBytes, content);
        }

        foreach ((nint start, nint bytes, int content) in _pieces)
        {
            Verify(start, bytes, content);
        }
    }

    public void ReleaseAll()
    {
        while (_runs.Count != 0)
        {
            Release(random.Next(1, 8));
        }

        while (_pieces.Count != 0)
        {
            ReleasePiece();
        }
    }

    private void Verify(nint start, nint bytes, int content)
    {
        AssertMargins(start, bytes);
        Assert.True(kernel.Holds(start, bytes, content), $"0x{start:x} does not hold {content}");
    }

    private void AssertMargins(nint start, nint bytes)
    {
        nint whole = (bytes + kernel.PageBytes - 1) / kernel.PageBytes * kernel.PageBytes;
        Assert.True(kernel.IsOwn(start - kernel.PageBytes, whole + (2 * kernel.PageBytes)), $"a margin of 0x{start:x} is gone");
    }

    private void Allocate(int count)
    {
        nint[] blocks = new nint[count];
        if (Held < 60 && source.TryAllocateBlocks(blocks, blockBytes, random.Next(2) == 0))
        {
            foreach (nint block in blocks)
            {
                AssertFresh(block, 1);
                Hold(block, 1);
            }
        }
    }

    private void AllocatePiece(nint bytes)
    {
        if (_pieces.Count < 10 && source.TryAllocate(bytes, hugePages: true, out nint piece))
        {
            int content = random.Next(1, int.MaxValue);
            kernel.Write(piece, bytes, content);
            _pieces.Add((piece, bytes, content));
        }
    }

    private void Assemble(int count, int missing)
    {
        nint[] blocks = Take(count);
        if (blocks.Length == 0)
        {
            return;
        }

        if (source.TryAssemble(blocks, missing, blockBytes, hugePages: true, out nint start))
        {
            AssertFresh(start + ((nint)blocks.Length * blockBytes), missing);
            Hold(start, blocks.Length + missing);
            return;
        }

        Array.ForEach(blocks, block => Hold(block, 1));
    }

    private void AssertFresh(nint start, int blocks) =>
        Assert.True(blocks == 0 || kernel.Holds(start, (nint)blocks * blockBytes, 0), $"0x{start:x} holds what was given back");

    private void Release(int count)
    {
        nint[] blocks = Take(count);
        random.Shuffle(blocks);
        source.ReleaseBlocks(blocks, blockBytes);
    }

    private void ReleasePiece()
    {
        if (_pieces.Count != 0)
        {
            (nint start, nint bytes, _) = _pieces[^1];
            _pieces.RemoveAt(_pieces.Count - 1);
            source.Release(start, bytes);
        }
    }

    private void Hold(nint start, int blocks)
    {
        AssertMargins(start, (nint)blocks * blockBytes);
        int content = random.Next(1, int.MaxValue);
        kernel.Write(start, (nint)blocks * blockBytes, content);
        _runs.Add((start, blocks, content));
    }

    // Blocks of any runs, which are single ones from then on.
    private nint[] Take(int count)
    {
        List<nint> taken = [];
        while (taken.Count < count && _runs.Count != 0)
        {
            int index = random.Next(_runs.Count);
            (nint start, int blocks, int content) = _runs[index];
            _runs.RemoveAt(index);
            int first = random.Next(blocks);
            int length = Math.Min(blocks - first, count - taken.Count);
            taken.AddRange(Enumerable.Range(first, length).Select(i => start + ((nint)i * blockBytes)));
            Keep(start, first, content);
            Keep(start + ((nint)(first + length) * blockBytes), blocks - first - length, content);
        }

        return [.. taken];
    }

    private void Keep(nint start, int blocks, int content)
    {
        if (blocks != 0)
        {
            _runs.Add((start, blocks, content));
        }
    }
}
