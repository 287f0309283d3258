using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>The memory of a stream that rents through a scope: it ends with the scope, not with the stream. A stream that is kept then reaches no memory that serves others.</summary>
/// <param name="stream">The stream, which says from then on that its scope was disposed.</param>
internal sealed class ScopedPieces(PixelPoolStream stream) : IRentHandle
{
    public bool IsDisposed => !stream.CanRead;

    // The scope knows the leases themselves.
    public void AddGuards(HashSet<object> guards)
    {
    }

    public void Dispose() => stream.ReturnMemory();
}
