using System.Runtime.CompilerServices;

namespace PixelPool.Tests.Infrastructure;

/// <summary>Where the runtime puts the fields of an object, and how large the object is.</summary>
internal static class ObjectLayout
{
    /// <summary>Where a field is, in bytes from the beginning of the object, which is its type.</summary>
    public static long Offset<T>(object owner, ref T field)
        where T : struct =>
        IntPtr.Size + (long)Unsafe.ByteOffset(ref Unsafe.As<Raw>(owner).First, ref Unsafe.As<T, byte>(ref field));

    /// <summary>The managed bytes of what is created.</summary>
    public static long BytesOf(Func<object> create)
    {
        long least = long.MaxValue;
        for (int i = 0; i < 100; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            GC.KeepAlive(create());
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    private sealed class Raw
    {
#pragma warning disable CS0649 // only its place matters
        public byte First;
#pragma warning restore CS0649
    }
}
