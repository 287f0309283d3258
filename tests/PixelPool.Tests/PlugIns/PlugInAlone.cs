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
        PlugInAllocators.Listening(host);
    }
}
