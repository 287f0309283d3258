using System.Runtime.InteropServices;

namespace PixelPool.Threading;

/// <summary>
/// Base of objects that one processor writes often: keeps their fields off the cache lines of the objects on both sides, whatever the collector puts
/// there. The fields of a base class come first; the derived class ends with a <see cref="Padding"/> of its own.
/// </summary>
internal abstract class CacheLineApart
{
#pragma warning disable CS0169, IDE0051, CA1823 // only its size matters
    private readonly Padding _before;
#pragma warning restore CS0169, IDE0051, CA1823

    /// <summary>Two lines: processors fetch them in pairs.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 128)]
    protected readonly struct Padding;
}
