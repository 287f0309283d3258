using System.Runtime.InteropServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>An application that locks its memory: the kernel lets no page go then, and clean memory has to be clean nevertheless.</summary>
public class LockedMemoryTests
{
    private const int Block = 64 << 10;

    [Fact]
    public void What_was_trimmed_is_clean_when_it_is_rented_again()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux keeps locked pages.");
        ChildProcess.Run(RentLocked);
    }

    private static unsafe void RentLocked()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = Block,
            MaxPooledBytes = 64 * Block,
            SmallBuffers = SmallBufferStrategy.None,
            TrimPolicy = TrimPolicy.None,
        });
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 8).Select(_ => allocator.Rent<byte>(Block, 1))];
        foreach (PixelBuffer<byte> image in images)
        {
            image.Fill(7);
            using PinnedPixels pin = image.Pin();
            if (mlock((nint)pin.Pointer, Block) != 0)
            {
                Console.WriteLine($"mlock: {Marshal.GetLastPInvokeError()}");
                return;
            }
        }

        // One stays, so that the place of the others does.
        Array.ForEach(images[..^1], static image => image.Dispose());
        allocator.Trim();
        Assert.Equal(Block, allocator.GetStatistics().AllocatedBytes - allocator.GetStatistics().ReleasedBytes);
        PixelBuffer<byte>[] clean = [.. Enumerable.Range(0, 16).Select(_ => allocator.Rent<byte>(Block, 1, AllocationOptions.Clean))];
        Assert.All(clean, static image => Assert.False(image.DangerousGetRowSpan(0).ContainsAnyExcept((byte)0)));
    }

    [DllImport("libc", SetLastError = true)]
    private static extern int mlock(nint address, nuint bytes);
}
