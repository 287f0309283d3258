using System.Buffers;

namespace Imaging.Testing;

/// <summary>What <see cref="ObservedMemory"/> rents out: garbage, with more behind it that must stay as it is.</summary>
public sealed class ObservedBytes : IMemoryOwner<byte>
{
    private const byte Garbage = 0xCD;
    private const int BytesBehind = 64;

    private readonly byte[] _bytes;
    private readonly int _length;
    private Action? _returned;

    public ObservedBytes(int length, Action returned)
    {
        _bytes = new byte[length + BytesBehind];
        _bytes.AsSpan().Fill(Garbage);
        _length = length;
        _returned = returned;
    }

    public Memory<byte> Memory
    {
        get
        {
            ObjectDisposedException.ThrowIf(_returned is null, this);
            return _bytes.AsMemory(0, _length);
        }
    }

    public void Dispose()
    {
        _returned?.Invoke();
        _returned = null;
        Assert.Equal(-1, _bytes.AsSpan(_length).IndexOfAnyExcept(Garbage));

        // Who still looks sees something else.
        _bytes.AsSpan(0, _length).Fill(unchecked((byte)~Garbage));
    }
}
