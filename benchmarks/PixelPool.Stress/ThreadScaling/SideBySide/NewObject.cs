using System.Runtime.CompilerServices;

namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>An object as large as a <see cref="PixelBuffer{TPixel}"/>, and nothing else.</summary>
internal readonly struct NewObject : IUntouchedRent
{
    public void RentAndReturn() => Use(new SixWords());

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Use(object created) => _ = created;
}
