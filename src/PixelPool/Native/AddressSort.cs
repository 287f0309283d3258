namespace PixelPool.Native;

/// <summary>
/// A heap sort. That of the base library makes an object the first time, which must not be when blocks go back because there is no memory; and a short program compiles ten methods of it.
/// </summary>
internal static class AddressSort
{
    /// <summary>Puts addresses in ascending order. Allocates nothing.</summary>
    public static void Sort(Span<nint> addresses)
    {
        for (int i = (addresses.Length / 2) - 1; i >= 0; i--)
        {
            SiftDown(addresses, i);
        }

        for (int last = addresses.Length - 1; last > 0; last--)
        {
            (addresses[0], addresses[last]) = (addresses[last], addresses[0]);
            SiftDown(addresses.Slice(0, last), 0);
        }
    }

    private static void SiftDown(Span<nint> heap, int parent)
    {
        while ((2 * parent) + 1 < heap.Length)
        {
            int child = (2 * parent) + 1;
            if (child + 1 < heap.Length && heap[child] < heap[child + 1])
            {
                child++;
            }

            if (heap[parent] >= heap[child])
            {
                return;
            }

            (heap[parent], heap[child]) = (heap[child], heap[parent]);
            parent = child;
        }
    }
}
