using System.Diagnostics.CodeAnalysis;
using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>Bytes that a stream in pooled memory lends: a segment of its sequence, or memory for a writer. They end when the stream lets go of them.</summary>
/// <param name="guard">The rent.</param>
/// <param name="version">The rent's version.</param>
/// <param name="offset">Bytes from the start of the rent, which is in one piece.</param>
/// <param name="length">Bytes.</param>
internal sealed unsafe class StreamMemory(LifetimeGuard guard, uint version, nint offset, int length) : GuardedMemory<byte>(guard, version, length)
{
    public override bool IsDisposed => !Guard.IsCurrent(Version);

    protected override nint PinnedAddress => Guard.PinnedAddress(0) + offset;

    public override Span<byte> GetSpan()
    {
        ThrowIfDisposed();
        return Guard.Array is { } array
            ? array.AsSpan(Guard.ArrayOffset + (int)offset, Length)
            : new Span<byte>((byte*)Guard.AddressOf(0) + offset, Length);
    }

    // Whoever has it has disposed nothing, as a rule: the stream has grown, or has become shorter.
    [DoesNotReturn]
    protected override void ThrowReturned() => Throw.Disposed(
        "PixelPoolStream",
        "The PixelPoolStream was changed or disposed, or its scope was, since this memory or sequence was taken from it. Take it again after each change.");

    // It only looks at memory that the stream holds.
    protected override void Dispose(bool disposing)
    {
    }
}
