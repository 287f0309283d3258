namespace PixelPool.Tests.Infrastructure;

/// <summary>The memory of a <see cref="FakeBlockSource"/>, which knows what of it is handed out. Guarded by the lock of the source.</summary>
internal abstract class FakeMemory
{
    /// <summary>What freed memory is filled with.</summary>
    public const byte Freed = 0xDD;

    /// <summary>Wrong frees, and writes to where nothing is handed out.</summary>
    public List<string> Misuse { get; } = [];

    public abstract long LiveBytes { get; }

    /// <summary>The sizes of what is not freed, in address order.</summary>
    public abstract IEnumerable<long> LiveSizes { get; }

    public abstract bool IsLive(nint address);

    /// <returns>An address of memory filled with <paramref name="content"/>, or 0 when there is none.</returns>
    public abstract nint Take(long bytes, byte content);

    /// <summary>The test is over. What is still handed out stays valid: a finalizer may use it.</summary>
    public virtual void End()
    {
    }

    /// <returns>False when that was wrong: it is a <see cref="Misuse"/>, and nothing was freed.</returns>
    public abstract bool Give(nint address, long bytes);
}
