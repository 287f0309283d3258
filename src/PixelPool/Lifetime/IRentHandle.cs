namespace PixelPool.Lifetime;

/// <summary>Something that a <see cref="RentScope"/> owns, and need not remember once it was disposed.</summary>
internal interface IRentHandle : IDisposable
{
    bool IsDisposed { get; }

    /// <summary>Adds the guards of what it holds, as long as it is not disposed.</summary>
    void AddGuards(HashSet<object> guards);
}
