using PixelPool.Threading;

namespace PixelPool.FixedBlocks;

/// <summary>Small numbers for fixed-size heaps: no two that live have the same one, so the tables of threads stay short. The first is 1.</summary>
internal static class HeapSlots
{
    /// <summary>No slot: that of a fixed-size heap whose constructor failed.</summary>
    public const int None = 0;

    private static readonly UninterruptibleLock s_gate = new();
    private static readonly List<int> s_free = [];
    private static int s_count;

    public static int Take()
    {
        using (s_gate.Hold())
        {
            if (s_free.Count == 0)
            {
                // Room for its return: a finalizer brings it.
                s_free.Capacity = Math.Max(s_free.Capacity, s_count + 1);
                return ++s_count;
            }

            int slot = s_free[s_free.Count - 1];
            s_free.RemoveAt(s_free.Count - 1);
            return slot;
        }
    }

    public static void Return(int slot)
    {
        using (s_gate.Hold())
        {
            s_free.Add(slot);
        }
    }
}
