using System.Runtime.InteropServices;
using PixelPool.Benchmarks.Metering;

namespace PixelPool.Benchmarks.Peers;

/// <summary>Memory of <c>malloc</c>.</summary>
internal readonly unsafe struct NativeRental : IRental<NativeRental>
{
    private readonly void* _memory;

    private NativeRental(void* memory) => _memory = memory;

    public static NativeRental Rent(int bytes)
    {
        NativeBytes.Add(bytes);
        return new NativeRental(NativeMemory.Alloc((nuint)bytes));
    }

    public void Touch(int bytes) => Pages.Touch(_memory, bytes);

    public void FillFirstPage(byte value) => new Span<byte>(_memory, Pages.Bytes).Fill(value);

    public void Return() => NativeMemory.Free(_memory);
}
