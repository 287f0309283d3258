namespace PixelPool.Tests.PlugIns;

/// <summary>A plug-in that has PixelPool for itself.</summary>
public static class PlugInAlone
{
    // Without the allocator of the process: while that has idle blocks its timer runs, which is for half a minute.
    public static void UseAll()
    {
        using PixelAllocator host = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 64 << 20 });
        PlugInAllocators.Supplied_and_disposed(host);
        PlugInAllocators.Dropped(host);
        PlugInAllocators.Renting_often(host);
        PlugInAllocators.Listening(host);
    }

    /// <summary>Native code holds its memory, and calls its function, when all else of it is gone.</summary>
    /// <returns>The function, the context and the address.</returns>
    public static nint[] GivesToNative()
    {
        PixelAllocator own = PixelAllocator.Create();
        using PixelBuffer<uint> image = own.Rent<uint>(1000, 1000);
        NativePixels given = image.Pin().GiveToNative();
        return [NativePixels.ReleaseContextFirst, given.Context, given.Address];
    }
}
