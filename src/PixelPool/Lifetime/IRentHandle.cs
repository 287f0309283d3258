namespace PixelPool.Lifetime;

/// <summary>Something that a <see cref="RentScope"/> owns, and need not remember once it was disposed.</summary>
internal interface IRentHandle : IDisposable
{
    bool IsDisposed { get; }
}
