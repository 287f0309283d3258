using System.Runtime.InteropServices;
using PixelPool.Benchmarks.Metering;

namespace PixelPool.Benchmarks.Peers;

/// <summary>Memory of <c>aligned_alloc</c>, aligned to a page.</summary>
internal readonly unsafe struct AlignedNativeRental : IRental<AlignedNativeRental>
{
    private readonly void* _memory;

    private AlignedNativeRental(void* memory) => _memory = memory;

    public static AlignedNativeRental Rent(int bytes)
    {
        NativeBytes.Add(bytes);
        return new AlignedNativeRental(NativeMemory.AlignedAlloc((nuint)bytes, Pages.Bytes));
    }

    public void Touch(int bytes) => Pages.Touch(_memory, bytes);

    public void FillFirstPage(byte value) => new Span<byte>(_memory, Pages.Bytes).Fill(value);

    public void Return() => NativeMemory.AlignedFree(_memory);
}
