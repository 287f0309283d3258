using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using PixelPool.Budgets;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <content>Small memory from the application's pool of arrays, which may be anything: what it gives is looked at.</content>
public sealed partial class PixelAllocator
{
    private LifetimeGuard? TryTakeArray(int bytes, RentBudget? budget, out long neededBytes)
    {
        byte[] array = RentArray(bytes, out int offset);
        bool charged = false;
        LifetimeGuard? guard = null;
        try
        {
            charged = TryCharge(budget, array.Length, out neededBytes);
            if (charged)
            {
                guard = _pool.TakeGuard(smallRents: 1, array.Length);
                guard.HoldArray(array, offset, _options.ArrayPool);
                guard.SetBudget(budget?.Payee);
                _pool.HoldBesideBlocks(array.Length);
            }

            return guard;
        }
        finally
        {
            if (guard is null)
            {
                GiveUp(array, charged ? budget : null);
            }
        }
    }

    // With bytes that can be read on both sides. Nothing is charged or held here.
    private byte[] RentArray(int bytes, out int offset)
    {
        byte[] array = RentFromPool(bytes);
        return ArrayMargin.TryFind(array, bytes, out offset) ? array : RentLongerArray(array, bytes, out offset);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private byte[] RentLongerArray(byte[] array, int bytes, out int offset)
    {
        _options.ArrayPool.Return(array);
        offset = ArrayMargin.Bytes;
        return RentFromPool(bytes + (2 * ArrayMargin.Bytes));
    }

    private byte[] RentFromPool(int bytes)
    {
        byte[] array = _options.ArrayPool.Rent(bytes);
        if (array is null || array.Length < bytes)
        {
            RefuseArray(array, bytes);
        }

        return array;
    }

    // Whatever else such a pool does is its own affair.
    [DoesNotReturn]
    private void RefuseArray(byte[]? array, int bytes)
    {
        string got = array is null ? "null" : $"an array of {array.Length}";
        try
        {
            if (array is not null)
            {
                _options.ArrayPool.Return(array);
            }
        }
#pragma warning disable CA1031 // what the caller has to know is that the pool is broken
        catch (Exception)
        {
        }
#pragma warning restore CA1031

        Throw.InvalidMemoryOperation($"The ArrayPool was asked for {bytes} bytes and gave {got}. Nothing was taken.");
    }

    private void GiveUp(byte[] array, RentBudget? charged)
    {
        charged?.Refund(array.Length);
        _options.ArrayPool.Return(array);
    }
}
