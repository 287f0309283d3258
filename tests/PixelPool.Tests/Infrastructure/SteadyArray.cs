using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool.Tests.Infrastructure;

/// <summary>Arrays for pools of tests: exactly as long as asked for. They do not move.</summary>
internal static class SteadyArray
{
    /// <param name="length">Bytes.</param>
    /// <param name="isEnough">Whether a rent of all of it needs no longer one: bytes beside it lie in its pages.</param>
    public static byte[] Create(int length, bool isEnough = true)
    {
        // What does not do is held until another one does, with something short behind it: otherwise the next one may lie where this one lay, or at the same
        // place of another page, forever.
        List<byte[]>? refused = null;
        while (true)
        {
            byte[] array = GC.AllocateArray<byte>(length, pinned: true);
            if (ArrayMargin.TryFind(array, length, out _) == isEnough)
            {
                return array;
            }

            refused ??= [];
            refused.Add(array);
            refused.Add(GC.AllocateArray<byte>(ArrayMargin.Bytes * refused.Count, pinned: true));
        }
    }
}
