#if !LIBRARY_NETSTANDARD
using PixelPool.Native;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>How often the system is called, on real memory.</summary>
public class SystemCallTests
{
    private const int Block = 4 << 20;

    /// <summary>Blocks of an image, whether it is contiguous, and whether its memory is small.</summary>
    public static TheoryData<int, AllocationOptions> Images => new()
    {
        { 0, AllocationOptions.None }, { 1, AllocationOptions.None }, { 5, AllocationOptions.None }, { 5, AllocationOptions.Contiguous }, { 5, AllocationOptions.Clean },
    };

    [Theory]
    [MemberData(nameof(Images))]
    public void Hits_do_not_call_the_system(int blocks, AllocationOptions options)
    {
        OnLinux();
        var kernel = new CountingKernel();
        using PixelAllocator allocator = Create(kernel);
        using PixelBuffer<byte> held = Rent(allocator, blocks, options);
        Rent(allocator, blocks, options).Dispose();
        int calls = kernel.Calls;
        for (int i = 0; i < 100; i++)
        {
            using PixelBuffer<byte> image = Rent(allocator, blocks, options);
            using PixelBuffer<byte> view = image.View(0, 0, 1, 1);
        }

        Assert.Equal(calls, kernel.Calls);
    }

    [Fact]
    public void Fresh_memory_takes_two_calls_and_goes_in_one()
    {
        OnLinux();

        // In a process where nothing of other tests lies below.
        ChildProcess.Run(MapFreshMemory);
    }

    private static void MapFreshMemory()
    {
        var kernel = new CountingKernel();
        using PixelAllocator allocator = Create(kernel);

        // The first place is found by mapping more.
        using PixelBuffer<byte> first = Rent(allocator, 1, AllocationOptions.None);
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 8).Select(_ => kernel.Count(2, () => Rent(allocator, 1, AllocationOptions.None)))];
        Array.ForEach(images, static image => image.Dispose());

        // Those that were mapped last lie side by side; and the page of the first one that is its margin stays.
        kernel.Count(2, () => allocator.Trim());
        kernel.Count(2, () => Rent(allocator, 40, AllocationOptions.Contiguous)).Dispose();
    }

    [Fact]
    public void Blocks_that_are_mapped_one_by_one_share_huge_pages_with_no_one()
    {
        OnLinux();
        using PixelAllocator allocator = Create(new LinuxKernel());
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 8).Select(_ => Rent(allocator, 1, AllocationOptions.None))];
        Array.ForEach(images, static image => PixelPattern.Fill(image, 1));
        Array.ForEach(images, static image => image.Dispose());
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.SkipWhen(statistics.TouchedBytes == 0, "This kernel does not tell what pages are.");
        Assert.Equal(8L * Block, statistics.TouchedBytes);
    }

    private static void OnLinux() => Assert.SkipUnless(OperatingSystem.IsLinux(), "The kernel of Linux is called.");

    private static PixelAllocator Create(LinuxKernel kernel) => PixelAllocator.Create(new PixelAllocatorOptions
    {
        MaxPooledBytes = 64L * Block,
        SmallBuffers = SmallBufferStrategy.Slab,
        TrimPolicy = TrimPolicy.None,
        BlockSource = new LinuxBlockSource(kernel),
    });

    private static PixelBuffer<byte> Rent(PixelAllocator allocator, int blocks, AllocationOptions options) =>
        blocks == 0 ? allocator.Rent<byte>(100, 100, options) : allocator.Rent<byte>(Block / 1024, 1024 * blocks, options);

    private sealed class CountingKernel : LinuxKernel
    {
        public int Calls { get; private set; }

        public T Count<T>(int expected, Func<T> action)
        {
            int before = Calls;
            T result = action();
            Assert.Equal(expected, Calls - before);
            return result;
        }

        public override nint Map(nint hint, nint bytes)
        {
            Calls++;
            return base.Map(hint, bytes);
        }

        public override bool TryMapHole(nint address, nint bytes)
        {
            Calls++;
            return base.TryMapHole(address, bytes);
        }

        public override bool TryUnmap(nint address, nint bytes)
        {
            Calls++;
            return base.TryUnmap(address, bytes);
        }

        public override int Move(nint from, nint to, nint bytes)
        {
            Calls++;
            return base.Move(from, to, bytes);
        }

        public override void Discard(nint address, nint bytes)
        {
            Calls++;
            base.Discard(address, bytes);
        }

        public override void PreferHugePages(nint address, nint bytes, bool preferred)
        {
            Calls++;
            base.PreferHugePages(address, bytes, preferred);
        }
    }
}
#endif
