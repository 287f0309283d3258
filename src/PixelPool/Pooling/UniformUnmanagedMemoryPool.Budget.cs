using System.Runtime.CompilerServices;
using PixelPool.Trimming;

namespace PixelPool;

/// <content>
/// All that an allocator with a budget holds keeps to it: what is rented is charged before it is taken, and what is idle makes room before anything is got
/// from elsewhere. So no rent of idle blocks comes here.
/// </content>
public sealed partial class UniformUnmanagedMemoryPool
{
    private const int MostAttempts = 4;

    // long.MaxValue: there is no budget, and nothing is counted.
    private readonly long _budgetBytes;

    // Rented arrays, unpooled memory, and memory of others.
    private long _bytesBesideBlocks;
    private long _externalBytes;

    internal long ExternalBytes => Volatile.Read(ref _externalBytes);

    /// <summary>Memory that is no block of the pool is about to be held; it is charged already.</summary>
    internal void HoldBesideBlocks(long bytes)
    {
        if (_budgetBytes != long.MaxValue)
        {
            Interlocked.Add(ref _bytesBesideBlocks, bytes);
            KeepToBudget();
        }
    }

    /// <summary>Memory that is no block of the pool is held no more. Its charge ends later.</summary>
    internal void EndBesideBlocks(long bytes)
    {
        if (_budgetBytes != long.MaxValue)
        {
            Interlocked.Add(ref _bytesBesideBlocks, -bytes);
        }
    }

    internal void HoldExternal(long bytes)
    {
        Interlocked.Add(ref _externalBytes, bytes);
        HoldBesideBlocks(bytes);
    }

    internal void EndExternal(long bytes)
    {
        EndBesideBlocks(bytes);
        Interlocked.Add(ref _externalBytes, -bytes);
    }

    private long BytesOverBudget =>
        ((long)Volatile.Read(ref _allocatedBlocks) * BlockBytes) + Volatile.Read(ref _bytesBesideBlocks) - _budgetBytes;

    // Of threads that come here together, the last one sees what all of them hold: each adds its own first.
    private void KeepToBudget()
    {
        if (BytesOverBudget > 0)
        {
            MakeRoom();
        }
    }

    // What is charged fits, so what is over the budget is idle. It may move to a stripe that was looked at already: then it is looked for again.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MakeRoom()
    {
        long released = 0;
        for (int attempt = 0; attempt < MostAttempts && BytesOverBudget is > 0 and long excess; attempt++)
        {
            released += ReleaseIdle(((excess - 1) / BlockBytes) + 1);
        }

        ReportTrimmed(CountTrimmed(released, TrimReason.Budget), TrimReason.Budget);
    }
}
