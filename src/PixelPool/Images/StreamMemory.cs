using System.Diagnostics.CodeAnalysis;
using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>Bytes that a stream in pooled memory lends: a segment of its sequence, or memory for a writer. The stream ends them when it lets go of the rent.</summary>
/// <param name="guard">The rent.</param>
/// <param name="version">The rent's version.</param>
/// <param name="block">The block of the rent.</param>
/// <param name="offset">Bytes from the start of that block.</param>
/// <param name="length">Bytes.</param>
internal sealed unsafe class StreamMemory(LifetimeGuard guard, uint version, int block, nint offset, int length) : GuardedMemory<byte>(version, length)
{
    private LifetimeGuard? _guard = guard;

    public override bool IsDisposed => _guard is not { } guard || !guard.IsCurrent(Version);

    protected override LifetimeGuard? Guard => _guard;

    protected override nint PinnedAddress(LifetimeGuard guard) => guard.PinnedAddress(block) + offset;

    /// <summary>The stream holds the rent no longer. Whoever keeps the memory keeps no other rent of that guard from being found forgotten.</summary>
    public void End() => _guard = null;

    public override Span<byte> GetSpan()
    {
        LifetimeGuard guard = GuardOrThrow();
        return guard.Array is { } array
            ? array.AsSpan(guard.ArrayOffset + (int)offset, Length)
            : new Span<byte>((byte*)guard.AddressOf(block) + offset, Length);
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
