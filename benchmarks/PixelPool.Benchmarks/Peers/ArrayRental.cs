namespace PixelPool.Benchmarks.Peers;

/// <summary>A managed array that is left to the collector.</summary>
internal readonly struct ArrayRental : IRental<ArrayRental>
{
    private readonly byte[] _array;

    private ArrayRental(byte[] array) => _array = array;

    public static ArrayRental Rent(int bytes) => new(new byte[bytes]);

    public void Touch(int bytes) => Pages.Touch(_array);

    public void FillFirstPage(byte value) => _array.AsSpan(0, Pages.Bytes).Fill(value);

    public void Return()
    {
    }
}
