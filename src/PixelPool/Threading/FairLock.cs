namespace PixelPool.Threading;

/// <summary>
/// An <see cref="UninterruptibleLock"/> for what is held through a <see cref="ProcessBarrier"/>. That takes far longer than what lies between two of them: whoever is woken would find the lock taken again,
/// as long as another thread takes it in a loop. So the next one keeps its place. Not recursive.
/// </summary>
internal sealed class FairLock
{
    private readonly UninterruptibleLock _gate = new();

    // Held by who is the next one at the gate, and by nobody for long.
    private readonly UninterruptibleLock _turn = new();

    /// <summary>Takes the lock.</summary>
    /// <returns>Leaves it when disposed.</returns>
    public UninterruptibleLock.Holder Hold()
    {
        using (_turn.Hold())
        {
            return _gate.Hold();
        }
    }
}
