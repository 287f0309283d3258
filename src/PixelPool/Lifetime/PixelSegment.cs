using System.Buffers;

namespace PixelPool.Lifetime;

/// <summary>One run of pixels in a sequence.</summary>
internal sealed class PixelSegment : ReadOnlySequenceSegment<byte>
{
    private PixelSegment(ReadOnlyMemory<byte> memory, PixelSegment? previous)
    {
        Memory = memory;
        if (previous is not null)
        {
            RunningIndex = previous.RunningIndex + previous.Memory.Length;
            previous.Next = this;
        }
    }

    /// <summary>All runs as a sequence.</summary>
    public static ReadOnlySequence<byte> Chain(IEnumerable<Memory<byte>> runs)
    {
        PixelSegment? first = null;
        PixelSegment? last = null;
        foreach (Memory<byte> run in runs)
        {
            last = new PixelSegment(run, last);
            first ??= last;
        }

        return first is null ? ReadOnlySequence<byte>.Empty : new ReadOnlySequence<byte>(first, 0, last!, last!.Memory.Length);
    }
}
