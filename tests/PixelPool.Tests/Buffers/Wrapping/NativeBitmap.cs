using System.Runtime.InteropServices;

namespace PixelPool.Tests.Buffers.Wrapping;

/// <summary>Memory of somebody else, who counts how often it is released, and looks whether anybody wrote beside the pixels.</summary>
internal sealed unsafe class NativeBitmap : IDisposable
{
    private const byte Untouched = 0xA5;

    private readonly byte* _start;
    private readonly int _length;

    public NativeBitmap(int length)
    {
        _length = length;
        _start = (byte*)NativeMemory.Alloc((nuint)length);
        Bytes.Fill(Untouched);
    }

    public nint Address => (nint)_start;

    public Span<byte> Bytes => new(_start, _length);

    public int Releases { get; private set; }

    public void Release(nint address)
    {
        Assert.Equal(Address, address);
        Releases++;
    }

    /// <summary>Bytes that nobody wrote to.</summary>
    public int CountUntouched() => Bytes.Count(Untouched);

    public void Dispose() => NativeMemory.Free(_start);
}
