using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;

namespace Everywhere.Exercise;

/// <summary>The functions that native code calls: they have addresses of their own in every kind of program, and the stack below them is read.</summary>
internal static unsafe class NativeCode
{
    public static void ReleasesOnce()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using LeakTracker tracker = allocator.TrackLeaks();
        NativePixels given;
        using (PixelBuffer<uint> image = allocator.Rent<uint>(1000, 1000))
        {
            given = image.Pin().GiveToNative();
        }

        Checks.Equal(4L << 20, allocator.GetStatistics().RentedBytes);
        Checks.Equal(0, ((delegate* unmanaged[Cdecl]<nint, int>)NativePixels.ReleaseContextFirst)(given.Context));
        Checks.Equal(0L, allocator.GetStatistics().RentedBytes);
        ReleaseAgain(given);
        Checks.Equal(1L, allocator.GetStatistics().SecondReturns);
        try
        {
            tracker.AssertNone();
        }
        catch (PixelLeakException found)
        {
            Checks.Contains($"{nameof(NativeCode)}.{nameof(ReleaseAgain)}", found.SecondReturns.Single());
            return;
        }

        throw new InvalidOperationException("the second release was not told");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReleaseAgain(NativePixels given) =>
        Checks.Equal(0, ((delegate* unmanaged[Cdecl]<nint, nint, int>)NativePixels.ReleaseContextSecond)(given.Address, given.Context));
}
