using System.Reflection;

namespace PixelPool.Tests.Buffers;

/// <summary>One pixel type for each size of a pixel.</summary>
internal static class PixelTypes
{
    public static readonly int[] Sizes = [1, 2, 3, 4, 8, 16];

    /// <summary>Calls a generic method for the pixel type of a size.</summary>
    /// <param name="pixelBytes">One of <see cref="Sizes"/>.</param>
    /// <param name="method">A static generic method, for any type argument.</param>
    /// <param name="argument">Passed to the method.</param>
    public static void Call<TArgument>(int pixelBytes, Action<TArgument> method, TArgument argument) =>
        method.Method.GetGenericMethodDefinition()
            .MakeGenericMethod(OfSize(pixelBytes))
            .Invoke(null, BindingFlags.DoNotWrapExceptions, null, [argument], null);

    private static Type OfSize(int pixelBytes) => pixelBytes switch
    {
        1 => typeof(byte),
        2 => typeof(ushort),
        3 => typeof(Rgb24),
        4 => typeof(uint),
        8 => typeof(ulong),
        16 => typeof(UInt128),
        _ => throw new ArgumentOutOfRangeException(nameof(pixelBytes)),
    };
}
