using System.Runtime.InteropServices;

namespace PixelPool.Stress.SmallBursts;

/// <summary>An object of a fixed size, that knows the next one.</summary>
[StructLayout(LayoutKind.Sequential, Size = Bytes)]
internal unsafe struct SmallNode
{
    public const int Bytes = 64;

    public SmallNode* Next;
}
