using System.Runtime.InteropServices;

namespace PixelPool.Benchmarks.Metering;

/// <summary>Bytes that this process has asked the system or a native allocator for, as far as the benchmarks did it.</summary>
internal static class NativeBytes
{
    private static readonly List<Count> s_counts = [];
    private static readonly List<PixelAllocator> s_watched = [];

    [ThreadStatic]
    private static Count? s_count;

    /// <summary>Reading it allocates nothing.</summary>
    public static long Requested
    {
        get
        {
            long bytes = 0;
            lock (s_counts)
            {
                foreach (Count count in s_counts)
                {
                    bytes += count.Bytes;
                }

                foreach (PixelAllocator allocator in s_watched)
                {
                    bytes += allocator.GetStatistics().AllocatedBytes;
                }
            }

            return bytes;
        }
    }

    /// <summary>Counts a request. One addition to memory that no other thread writes.</summary>
    public static void Add(long bytes) => (s_count ??= Register()).Bytes += bytes;

    /// <summary>
    /// Counts what an allocator gets from the system. Only for images that are larger than its small tier: arrays it rents from an
    /// <see cref="System.Buffers.ArrayPool{T}"/> are in its statistics, but they are managed memory.
    /// </summary>
    public static void Watch(PixelAllocator allocator)
    {
        lock (s_counts)
        {
            s_watched.Add(allocator);
        }
    }

    private static Count Register()
    {
        var count = new Count();
        lock (s_counts)
        {
            s_counts.Add(count);
        }

        return count;
    }

    /// <summary>On cache lines of its own.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private sealed class Count
    {
        [FieldOffset(128)]
        public long Bytes;
    }
}
