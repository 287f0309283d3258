using System.Runtime.InteropServices;
using PixelPool.Native;
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

    /// <summary>To clear them would make pages resident that nobody ever touched, just when memory is short.</summary>
    [Fact]
    public unsafe void Pages_of_free_pieces_that_the_kernel_keeps_are_not_written_to()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The pages of others are not discarded.");
        var source = new LinuxBlockSource(new KeepingKernel());
        nint[] block = new nint[1];
        Assert.True(source.TryAllocateBlocks(block, Block, hugePages: false));
        *(byte*)block[0] = 7;
        source.Discard(block[0], Block);
        Assert.Equal(7, *(byte*)block[0]);
        source.ReleaseBlocks(block, Block);
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

    private sealed class KeepingKernel : LinuxKernel
    {
        public override bool TryDiscard(nint address, nint bytes) => false;
    }
}
