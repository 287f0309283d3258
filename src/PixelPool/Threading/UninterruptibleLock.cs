namespace PixelPool.Threading;

/// <summary>A <see cref="StripeLock"/> as an object, for what is locked rarely: <c>using (_gate.Hold()) { … }</c>. Not recursive.</summary>
internal class UninterruptibleLock
{
#pragma warning disable IDE0044, CS0649 // a lock that is a word is changed in place
    private StripeLock _word;
#pragma warning restore IDE0044, CS0649

    /// <summary>Takes the lock.</summary>
    /// <returns>Leaves it when disposed.</returns>
    public Holder Hold()
    {
        _word.Enter(this);
        return new Holder(this);
    }

    internal readonly struct Holder(UninterruptibleLock held) : IDisposable
    {
        public void Dispose() => held._word.Exit(held);
    }
}
