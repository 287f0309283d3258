using System.Runtime.InteropServices;

namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>With its header and its type: 64 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Size = 48)]
internal sealed class SixWords
{
    public long First;
}
