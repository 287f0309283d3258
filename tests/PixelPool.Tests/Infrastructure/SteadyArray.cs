using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool.Tests.Infrastructure;

/// <summary>Arrays for pools of tests: exactly as long as asked for, and where a rent needs no other one. They do not move.</summary>
internal static class SteadyArray
{
    public static byte[] Create(int length)
    {
        byte[] array;
        do
        {
            array = GC.AllocateArray<byte>(length, pinned: true);
        }
        while (!ArrayMargin.TryFind(array, length, out _));

        return array;
    }
}
