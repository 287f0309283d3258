using System.Buffers;

namespace PixelPool.Benchmarks.Peers;

/// <summary>An array of the shared pool.</summary>
internal readonly struct ArrayPoolRental : IRental<ArrayPoolRental>
{
    private readonly byte[] _array;

    private ArrayPoolRental(byte[] array) => _array = array;

    public static ArrayPoolRental Rent(int bytes) => new(ArrayPool<byte>.Shared.Rent(bytes));

    public void Touch(int bytes) => Pages.Touch(_array.AsSpan(0, bytes));

    public void FillFirstPage(byte value) => _array.AsSpan(0, Pages.Bytes).Fill(value);

    public void Return() => ArrayPool<byte>.Shared.Return(_array);
}
