using System.Buffers;

namespace PixelPool.Tests.Native;

/// <summary>A pool of arrays on a managed heap that is full.</summary>
internal sealed class ThrowingArrayPool : ArrayPool<byte>
{
    public override byte[] Rent(int minimumLength) => throw new OutOfMemoryException();

    public override void Return(byte[] array, bool clearArray = false) => Assert.Fail("Nothing was rented.");
}
