using System.Buffers;

namespace PixelPool.Tests.Application;

/// <summary>A pool of arrays that may throw from every member.</summary>
internal sealed class FaultyArrayPool(ApplicationFault fault) : ArrayPool<byte>
{
    public override byte[] Rent(int minimumLength)
    {
        fault.Call("ArrayPool.Rent");
        return new byte[minimumLength];
    }

    public override void Return(byte[] array, bool clearArray = false) => fault.Call("ArrayPool.Return");
}
