using System.Buffers;

namespace PixelPool.Tests.Allocation;

/// <summary>A pool of an application whose arrays are too short, or none at all.</summary>
/// <param name="missing">Bytes that an array has less than it was asked for; null for no array.</param>
internal sealed class BrokenArrayPool(int? missing) : ArrayPool<byte>
{
    /// <summary>Works for so many rents.</summary>
    public int Works { get; set; }

    /// <summary>Arrays that came back.</summary>
    public int Returned { get; private set; }

    public override byte[] Rent(int minimumLength) =>
        Works-- > 0 ? Infrastructure.SteadyArray.Create(minimumLength) : missing is { } bytes ? new byte[minimumLength - bytes] : null!;

    public override void Return(byte[] array, bool clearArray = false) => Returned++;
}
