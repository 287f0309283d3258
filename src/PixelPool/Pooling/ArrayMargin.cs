using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Native;

namespace PixelPool.Pooling;

/// <summary>Where in an array the bytes of a rent begin, so that those beside them can be read.</summary>
internal static unsafe class ArrayMargin
{
    public const int Bytes = BlockSource.MarginBytes;

    // The smallest page there is: what lies in one page then does so where pages are larger.
    private const long PageBytes = 4096;

    /// <summary>Finds the place.</summary>
    /// <param name="array">The array; at least as long as the rent.</param>
    /// <param name="bytes">Bytes of the rent.</param>
    /// <param name="offset">Where they begin.</param>
    /// <returns>False when nothing is known of what lies beside them.</returns>
    /// <remarks>
    /// Inside of an array that is long enough. Arrays of a pool often are hardly longer than asked for, and the next ones twice as long. Then bytes beside the
    /// array serve, if they lie in pages in which the array lies, too. The collector may move it later: it is where it is most of the time, and nearly all
    /// places will do.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryFind(byte[] array, int bytes, out int offset)
    {
        if (array.Length - bytes >= 2 * Bytes)
        {
            offset = Bytes;
            return true;
        }

        offset = 0;
        return IsReadable(AddressOf(array), bytes, array.Length);
    }

    /// <summary>Whether the bytes beside a rent lie in pages of the array that begins with it.</summary>
    /// <param name="first">The address of the array's first byte.</param>
    /// <param name="bytes">Bytes of the rent.</param>
    /// <param name="length">Bytes of the array; without any, there is nothing to read beside.</param>
    public static bool IsReadable(long first, int bytes, int length)
    {
        // Two words of the object lie before its first byte.
        long firstPage = (first - (2 * IntPtr.Size)) & -PageBytes;
        long lastPage = (first + length - 1) & -PageBytes;
        return (first - Bytes >= firstPage && first + bytes + Bytes <= lastPage + PageBytes) || length == 0;
    }

    // A hint, as the array is not pinned.
    private static long AddressOf(byte[] array)
    {
#if NET
        return (long)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array));
#else
        fixed (byte* first = array)
        {
            return (long)first;
        }
#endif
    }
}
