using System.Buffers;

namespace PixelPool.Tests.Infrastructure;

/// <summary>A pool of an application that takes no array back.</summary>
internal sealed class RefusingArrayPool : ArrayPool<byte>
{
    public override byte[] Rent(int minimumLength) => SteadyArray.Create(minimumLength);

    public override void Return(byte[] array, bool clearArray = false) => throw new InvalidTimeZoneException($"{array.Length}");
}
