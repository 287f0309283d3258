using System.Runtime.InteropServices;

namespace PixelPool.Stress.ThreadScaling.Renting;

/// <summary>One allocation of the C library, not touched: what it really costs comes with the first touch.</summary>
internal readonly unsafe struct NativeRenter(RentWorkload workload) : IRenter
{
    private readonly nuint _bytes = (nuint)workload.Bytes;

    public void RentAndReturn() => NativeMemory.Free(NativeMemory.Alloc(_bytes));
}
