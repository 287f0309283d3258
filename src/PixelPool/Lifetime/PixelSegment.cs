using System.Buffers;

namespace PixelPool.Lifetime;

/// <summary>One run of pixels in a sequence.</summary>
internal sealed class PixelSegment : ReadOnlySequenceSegment<byte>
{
    public PixelSegment(ReadOnlyMemory<byte> memory, PixelSegment? previous)
    {
        Memory = memory;
        if (previous is not null)
        {
            RunningIndex = previous.RunningIndex + previous.Memory.Length;
            previous.Next = this;
        }
    }
}
