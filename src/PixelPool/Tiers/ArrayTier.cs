using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Threading;

namespace PixelPool.Tiers;

/// <summary>Small memory from the application's pool of arrays, which may be anything: what it gives is looked at.</summary>
/// <param name="pool">The depot of guards and blocks, and the accounts.</param>
/// <param name="budget">The allocator's budget, if it has one.</param>
/// <param name="options">Those of the allocator.</param>
internal sealed class ArrayTier(BlockPool pool, MemoryBudget? budget, PixelAllocatorOptions options) : AllocatorTier(pool, budget)
{
    // Of ArrayPool<byte>.Shared.
    private const int SmallestShift = 4;
    private const int SmallestArrayBytes = 1 << SmallestShift;

    private readonly ArrayPool<byte> _arrays = options.ArrayPool;

    // 1 where every array is aligned well enough.
    private readonly int _alignment = options.RowAlignmentBytes > IntPtr.Size ? options.RowAlignmentBytes : 1;

    // An array that moves leaves a copy of its pixels behind, which nobody clears. And it is aligned to words only, at its next place, too.
    private readonly bool _pins = options.ClearOnReturn || options.RowAlignmentBytes > IntPtr.Size;

    /// <summary>
    /// Whether threads may keep arrays: those of others may have to go back at once, and where pieces of slabs serve nobody asks for arrays again.
    /// </summary>
    public readonly bool Keeps = !options.UsesSlabs(IntPtr.Size) && ReferenceEquals(options.ArrayPool, ArrayPool<byte>.Shared);

    public override string SourceOf(LifetimeGuard guard) => "Small";

    /// <summary>The longest array that the pool of the base library gives: a power of two, which has room for bytes to read on both sides if those of the shortest have none.</summary>
    public long GetHeldBytes(int bytes)
    {
        long length = ArrayBytes(bytes);
        bool hasMargins = length - bytes >= 2 * ArrayMargin.Bytes;
        return hasMargins && _alignment == 1 ? length : ArrayBytes(LongerBytes(bytes));
    }

    /// <summary>As which size a thread keeps the shortest array of so many bytes; <see cref="Magazines.None"/> if it does not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int CachedSizeOf(int bytes)
    {
        int size = Magazines.FirstOfArrays + Shift(bytes) - SmallestShift;
        return size < Magazines.Block ? size : Magazines.None;
    }

    /// <summary>Takes an array.</summary>
    /// <param name="bytes">Bytes of the rent.</param>
    /// <param name="payer">What pays for the whole array, if anything does.</param>
    /// <param name="neededBytes">Bytes the budget has no room for; 0 otherwise.</param>
    /// <returns>Null when the budget has no room: nothing was taken.</returns>
    public LifetimeGuard? TryTake(int bytes, RentBudget? payer, out long neededBytes)
    {
        byte[] array = RentArray(bytes, out int offset);
        LifetimeGuard? guard = null;
        GCHandle pin = default;

        // Until it is charged.
        neededBytes = array.Length;
        try
        {
            if (_pins)
            {
                pin = GCHandle.Alloc(array, GCHandleType.Pinned);
                offset = Align(pin.AddrOfPinnedObject(), offset);
            }

            neededBytes = Charge(payer, array.Length);
            if (neededBytes == 0)
            {
                Pool.Held.Add(array.Length);
                Pool.Accounts.Hold(array.Length);
                guard = Pool.TakeGuard(smallRents: 1, array.Length);
                guard.SetPayee(Remembered(payer));
                guard.HoldArray(this, array, offset, pin);
            }

            return guard;
        }
        finally
        {
            if (guard is null)
            {
                if (neededBytes == 0)
                {
                    LetGo(array.Length);
                    payer?.Release(array.Length);
                }

                if (pin.IsAllocated)
                {
                    pin.Free();
                }

                Return(array);
            }
        }
    }

    /// <summary>Ends the common rent of an array that may be kept, if the calling thread keeps it for its next one.</summary>
    public bool TryCache(LifetimeGuard guard)
    {
        int length = guard.Array!.Length;
        int size = CachedSizeOf(length);
        return size != Magazines.None && length == ArrayBytes(length) && Pool.Depot.Caches.Mine is { } cache && cache.TryReturn(guard, size);
    }

    // The application's own ArrayPool may throw: the array is its loss then, the accounts stay right.
    public override void GiveBack(LifetimeGuard guard)
    {
        guard.ClearForOthers();
        try
        {
            Return(guard.TakeArray());
        }
        finally
        {
            End(guard);
        }
    }

    public override void OnEvicting(LifetimeGuard guard) => LetGo(guard.HeldBytes);

    // Only what is of the base library's pool is kept: that throws nothing else.
    public override void EvictCached(LifetimeGuard guard)
    {
        Return(guard.TakeArray());
        Pool.ParkGuard(guard);
    }

    private void Return(byte[] array)
    {
        try
        {
            _arrays.Return(array);
        }
        catch (Exception e) when (e is ThreadInterruptedException or OutOfMemoryException)
        {
            // Pools of arrays have locks of their own, and allocate at the first return of a thread, which may be that of finalizers. The collector takes the array.
            Uninterrupted.Keep(e);
        }
    }

    // The shortest array of a power of two that holds so many bytes.
    private static int Shift(int bytes) => bytes <= SmallestArrayBytes ? SmallestShift : BitOperations.Log2((uint)bytes - 1) + 1;

    private static long ArrayBytes(int bytes) => 1L << Shift(bytes);

    // With bytes that can be read on both sides, and room to align what lies between. Nothing is charged or held here.
    private byte[] RentArray(int bytes, out int offset)
    {
        if (_alignment == 1)
        {
            byte[] array = RentFromPool(bytes);
            if (ArrayMargin.TryFind(array, bytes, out offset))
            {
                return array;
            }

            Return(array);
        }

        offset = ArrayMargin.Bytes;
        return RentFromPool(LongerBytes(bytes));
    }

    private int LongerBytes(int bytes) => bytes + (2 * ArrayMargin.Bytes) + _alignment - 1;

    private int Align(nint array, int offset) => (int)(((array + offset + _alignment - 1) & -(nint)_alignment) - array);

    private byte[] RentFromPool(int bytes)
    {
        byte[] array = _arrays.Rent(bytes);
        if (array is null || array.Length < bytes)
        {
            // What such a pool does otherwise is its own affair, and a shorter array is its loss.
            Throw.InvalidMemoryOperation(
                $"The ArrayPool was asked for {bytes} bytes and returned {(array is null ? "null" : $"an array of {array.Length}")}.");
        }

        return array;
    }
}
