using System.Buffers;
using System.Runtime.InteropServices;

namespace Everywhere.Exercise;

/// <summary>Addresses for native code, and memory of others.</summary>
internal static unsafe class Pins
{
    public static void HoldTheMemory()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        PixelBuffer<uint> image = allocator.Rent<uint>(1000, 500, AllocationOptions.Contiguous);
        Pattern.Write(image, 6);
        using (PinnedPixels pin = image.Pin())
        using (PinnedPixels readPin = image.AsReadOnly().Pin())
        {
            image.Dispose();
            Checks.Equal((1000, 500, 4000), (pin.Width, pin.Height, pin.Stride));
            Checks.Equal(pin.Address, readPin.Address);
            Checks.Equal(Pattern.At(999, 499, 6), ((uint*)pin.Pointer)[499_999]);
        }

        Checks.NothingIsLeft(allocator);
    }

    public static void AreGivenToNativeCode()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        NativePixels given;
        using (PixelBuffer<uint> image = allocator.Rent<uint>(1000, 500, AllocationOptions.Contiguous))
        {
            given = image.Pin().GiveToNative();
        }

        Checks.Equal((1000, 500, 4000, true), (given.Width, given.Height, given.Stride, given.Address != 0 && given.Context != 0));
        Checks.True(NativePixels.ReleaseContextFirst != 0 && NativePixels.ReleaseContextSecond != 0, "there are no functions to release with");
        Checks.True(allocator.GetStatistics().RentedBytes > 0, "native code holds nothing");
        given.Release();
        Checks.NothingIsLeft(allocator);
    }

    public static void MemoryOfOthersIsAnImage()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        nint address = Marshal.AllocHGlobal(4000);
        nint released = 0;
        using (PixelBuffer<uint> image = allocator.Wrap<uint>(address, 10, 100, 40, given => released = given, charge: true))
        {
            Pattern.Write(image, 8);
            Pattern.Check(image, 8);
            Checks.Equal(4000L, allocator.GetStatistics().ExternalBytes);
        }

        Checks.Equal(address, released);
        Marshal.FreeHGlobal(address);
        var array = new uint[1000];
        using (PixelBuffer<uint> image = allocator.Wrap(array.AsMemory(), 10, 100))
        {
            image[9, 99] = 5;
        }

        using (ReadOnlyPixelBuffer<uint> image = allocator.Wrap((ReadOnlyMemory<uint>)array, 10, 100))
        {
            Checks.Equal((5u, array[999]), (image[9, 99], 5u));
        }

        using (PixelBuffer<uint> image = allocator.Wrap<uint>(MemoryPool<byte>.Shared.Rent(4000), 10, 100, 40))
        {
            Pattern.Write(image, 8);
            Pattern.Check(image, 8);
        }

        Checks.NothingIsLeft(allocator);
    }
}
