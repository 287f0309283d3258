using System.Runtime.InteropServices;

namespace PixelPool.Stress.Renting;

/// <summary>Pixels at the start of an array, which may be longer.</summary>
internal readonly record struct ArrayImage(byte[] Array, int PixelCount)
{
    public Span<uint> Pixels => MemoryMarshal.Cast<byte, uint>(Array.AsSpan())[..PixelCount];
}
