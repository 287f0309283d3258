namespace PixelPool.Benchmarks.Peers;

/// <summary>A managed array that is not cleared, and left to the collector.</summary>
internal readonly struct UninitializedArrayRental : IRental<UninitializedArrayRental>
{
    private readonly byte[] _array;

    private UninitializedArrayRental(byte[] array) => _array = array;

    public static UninitializedArrayRental Rent(int bytes) => new(GC.AllocateUninitializedArray<byte>(bytes));

    public void Touch(int bytes) => Pages.Touch(_array);

    public void FillFirstPage(byte value) => _array.AsSpan(0, Pages.Bytes).Fill(value);

    public void Return()
    {
    }
}
