using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool.Tests.Infrastructure;

/// <summary>Arrays for pools of tests: exactly as long as asked for, and where a rent needs no other one. They do not move.</summary>
internal static class SteadyArray
{
    public static byte[] Create(int length)
    {
        // What does not do is held until another one does, with something short behind it: otherwise the next one may lie where this one lay, or at the same
        // place of another page, forever.
        List<byte[]>? refused = null;
        while (true)
        {
            byte[] array = GC.AllocateArray<byte>(length, pinned: true);
            if (ArrayMargin.TryFind(array, length, out _))
            {
                return array;
            }

            refused ??= [];
            refused.Add(array);
            refused.Add(GC.AllocateArray<byte>(ArrayMargin.Bytes * refused.Count, pinned: true));
        }
    }
}
