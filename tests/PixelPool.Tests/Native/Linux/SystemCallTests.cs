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
    public void Fresh_memory_takes_about_two_calls_and_goes_in_few()
    {
        OnLinux();

        // In a process where nothing of other tests lies below.
        ChildProcess.Run(MapFreshMemory);
    }

    private static void MapFreshMemory()
    {
        var kernel = new CountingKernel();
        using PixelAllocator allocator = Create(kernel);

        // The first place is found by mapping more. Each of the next ones takes a call for its pages and one for huge ones, and five more where the runtime has
        // put something of its own below. It does that while it compiles, so the best of some rounds counts.
        using PixelBuffer<byte> first = Rent(allocator, 1, AllocationOptions.None);
        (int Rents, int Releases)[] rounds = [.. Enumerable.Range(0, 20).Select(_ => MapAndRelease(kernel, allocator))];
        int rents = rounds.Min(static calls => calls.Rents);
        int releases = rounds.Min(static calls => calls.Releases);
        Console.WriteLine($"{rents} calls for 8 rents, {releases} to give them back");
        Assert.InRange(rents, 8, 28);

        // One, and no more than two for each block where the system's huge pages are slow at the moment, so that the blocks lie apart.
        Assert.InRange(releases, 1, 16);
    }

    private static (int Rents, int Releases) MapAndRelease(CountingKernel kernel, PixelAllocator allocator)
    {
        PixelBuffer<byte>[] images = new PixelBuffer<byte>[8];
        int rents = kernel.Count(() =>
        {
            for (int i = 0; i < images.Length; i++)
            {
                images[i] = Rent(allocator, 1, AllocationOptions.None);
            }
        });
        Array.ForEach(images, static image => image.Dispose());

        // Those that lie side by side go in one; and the page of the first one that is its margin stays.
        return (rents, kernel.Count(() => allocator.Trim()));
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

        public int Count(Action action)
        {
            int before = Calls;
            action();
            return Calls - before;
        }

        public override nint Map(nint bytes)
        {
            Calls++;
            return base.Map(bytes);
        }

        public override bool TryUnmap(nint address, nint bytes)
        {
            Calls++;
            return base.TryUnmap(address, bytes);
        }

        public override bool TryMove(nint from, nint to, nint bytes)
        {
            Calls++;
            return base.TryMove(from, to, bytes);
        }

        public override bool TryDiscard(nint address, nint bytes)
        {
            Calls++;
            return base.TryDiscard(address, bytes);
        }

        public override void PreferHugePages(nint address, nint bytes, bool preferred)
        {
            Calls++;
            base.PreferHugePages(address, bytes, preferred);
        }

        public override long Touch(nint page)
        {
            Calls++;
            return base.Touch(page);
        }
    }
}
