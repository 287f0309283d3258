using System.Buffers;

namespace Imaging.Memory;

/// <summary>The first <paramref name="length"/> bytes of an array that goes back to <paramref name="pool"/>, if it came from one.</summary>
internal sealed class ArrayBytes(byte[] array, int length, ArrayPool<byte>? pool) : IMemoryOwner<byte>
{
    private byte[]? _array = array;

    public Memory<byte> Memory => (_array ?? throw new ObjectDisposedException(nameof(ArrayBytes))).AsMemory(0, length);

    public void Dispose()
    {
        byte[]? returned = Interlocked.Exchange(ref _array, null);
        if (returned is not null)
        {
            pool?.Return(returned);
        }
    }
}
