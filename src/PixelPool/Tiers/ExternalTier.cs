using PixelPool.Budgets;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool.Tiers;

/// <summary>
/// What somebody else holds: memory, as an image like any other, or bytes that are only charged, so that they share the budget. Nothing is got or cleared here; whoever owns memory is told when nobody
/// uses it any more. A guard holds a charge, too, so that it is listed, and comes back when it is forgotten.
/// </summary>
/// <param name="pool">The depot of guards and blocks, and the accounts.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
/// <param name="kind">Whether it is memory, or only a charge.</param>
/// <param name="charges">Whether it counts, and is charged, as memory that others hold. What is not charged is not counted either.</param>
internal sealed class ExternalTier(BlockPool pool, MemoryBudget? budget, RentKind kind, bool charges) : AllocatorTier(pool, budget)
{
    public override RentKind Kind => kind;

    public override bool IsCharged => charges;

    public override string SourceOf(LifetimeGuard guard) => kind == RentKind.Memory ? "Wrapped" : "External";

    /// <summary>Refuses images that cannot lie in memory.</summary>
    /// <param name="address">The first byte of row 0; 0 when that is not known.</param>
    /// <param name="width">Pixels of a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="pixelBytes">Bytes of a pixel.</param>
    /// <param name="strideBytes">Bytes from one row to the next; negative when the last row lies first.</param>
    /// <returns>Bytes from the first to the last pixel, with what lies between.</returns>
    public static long Check(nint address, int width, int height, int pixelBytes, int strideBytes)
    {
        long row = PixelLayout.CheckStride(width, height, pixelBytes, alignment: 1);
        long stride = Math.Abs((long)strideBytes);
        if (stride < row)
        {
            Throw.OutOfRange(nameof(strideBytes), strideBytes, $"A row has {Plural.Of(row, "byte")}: the stride must be at least {row}, or at most -{row}.");
        }

        long bytes = (stride * (height - 1)) + row;
        if (bytes > BlockSource.MaxBytes)
        {
            Throw.TooLarge(bytes, BlockSource.MaxBytes);
        }

        ulong first = (ulong)(nuint)address - (strideBytes < 0 ? (ulong)(stride * (height - 1)) : 0);
        ulong end = first + (ulong)bytes;
        ulong last = IntPtr.Size == 4 ? uint.MaxValue : ulong.MaxValue;
        if (address != 0 && (first > (ulong)(nuint)address || end < first || end > last))
        {
            Throw.InvalidMemoryOperation($"{ByteSize.Format(bytes)} from that address on would go past the end of the address space.");
        }

        return bytes;
    }

    /// <summary>Takes what somebody else holds. It is not taken over before <see cref="TakeOver"/>: until then its end releases nothing.</summary>
    /// <param name="address">Where it begins; 0 for a charge.</param>
    /// <param name="bytes">How many bytes it has.</param>
    /// <param name="payer">What pays for it, if it is charged and anything does.</param>
    /// <returns>Null when the budget has no room: nothing was charged.</returns>
    public LifetimeGuard? TryTake(nint address, long bytes, RentBudget? payer) =>
        TryBeginExternal(bytes, charges ? bytes : 0, payer, address);

    /// <summary>From now on the end of the rent releases the memory.</summary>
    /// <param name="guard">The guard.</param>
    /// <param name="release">To be called once, when nobody uses it any more; null when nobody wants to know.</param>
    public static void TakeOver(LifetimeGuard guard, Action? release) => guard.Attachment = release;

    // The accounts are right, and the guard may be used again, before the owner's code runs: whatever it throws leaves the call that ended the rent.
    public override void GiveBack(LifetimeGuard guard)
    {
        var release = (Action?)guard.TakeAttachment();
        long bytes = charges ? guard.HeldBytes : 0;
        MemoryBudget? payee = guard.TakePayee();
        Pool.Held.Remove(bytes, external: true);
        Pool.ParkGuard(guard);
        Release(payee, bytes);
        release?.Invoke();
    }
}
