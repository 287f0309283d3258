using System.Globalization;
using PixelPool.Tests.Buffers;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Pooling.Runs;

namespace PixelPool.Tests.Native.Margins;

/// <summary>
/// Code with vectors reads a little before and behind a row: bytes beside every piece can be read, whatever is mapped there. In processes of their own, where
/// nothing of other tests lies beside them by chance.
/// </summary>
[Trait("Category", "Long")]
public class MarginTests
{
    private const int Mebibyte = 1 << 20;

    public static TheoryData<MemoryTier> EveryTier => TierSizes.All;

    /// <summary>Bytes of a block.</summary>
    public static TheoryData<int> Blocks => [64 << 10, 4 << 20];

    [Theory]
    [MemberData(nameof(EveryTier))]
    public void Bytes_beside_every_piece_of_every_tier_can_be_read(MemoryTier tier) => OnLinux(RentOf, tier);

    [Fact]
    public void Bytes_beside_large_pieces_can_be_read() => OnLinux(RentLarge, "");

    [Theory]
    [MemberData(nameof(Blocks))]
    public void Bytes_beside_a_piece_can_be_read_after_its_neighbours_went(int blockBytes) => OnLinux(ReleaseNeighbours, blockBytes);

    [Theory]
    [MemberData(nameof(Blocks))]
    public void Bytes_beside_a_piece_can_be_read_after_its_neighbours_or_itself_moved(int blockBytes) => OnLinux(MoveNeighbours, blockBytes);

    [Theory]
    [MemberData(nameof(Blocks))]
    public void Bytes_beside_all_pieces_can_be_read_whatever_happens(int blockBytes) => OnLinux(RentAndReturnAtRandom, blockBytes);

    [Fact]
    public void Bytes_beside_arrays_that_are_hardly_longer_can_be_read() => OnLinux(RentArrays, "");

    private static void OnLinux(Action<string[]> body, object argument)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux says what is mapped.");
        ChildProcess.Run(body, [string.Create(CultureInfo.InvariantCulture, $"{argument}")]);
    }

    private static void RentOf(string[] arguments)
    {
        MemoryTier tier = Enum.Parse<MemoryTier>(arguments[0]);
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<byte>[] images = new PixelBuffer<byte>[3];
        for (int i = 0; i < images.Length; i++)
        {
            images[i] = TierSizes.Rent<byte>(allocator, tier);
            Margin.AssertReadable(images[..(i + 1)]);
        }

        Array.ForEach(images, static image => image.Dispose());
    }

    // The default sizes, and an image of 4096 x 4096 pixels that the pool has no room for.
    private static void RentLarge(string[] arguments)
    {
        foreach (SmallBufferStrategy small in Enum.GetValues<SmallBufferStrategy>())
        {
            foreach (long pooled in (long[])[0, 256 * Mebibyte])
            {
                using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = pooled, SmallBuffers = small });
                foreach (AllocationOptions options in (AllocationOptions[])[AllocationOptions.None, AllocationOptions.Contiguous])
                {
                    foreach (int height in (int[])[1, 4, 64, 100, 256, 1000, 1024, 1500, 4096])
                    {
                        using PixelBuffer<byte> first = allocator.Rent<byte>(16384, height, options);
                        using PixelBuffer<byte> second = allocator.Rent<byte>(16384, height, options);
                        Margin.AssertReadable(first, second);
                    }
                }
            }
        }
    }

    // Powers of two: arrays of the shared pool are no longer than that. While they are looked at, the collector does not move them.
    private static void RentArrays(string[] arguments)
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        Assert.True(GC.TryStartNoGCRegion(200L * Mebibyte));
        PixelBuffer<byte>[] images =
        [
            .. Enumerable.Range(8, 13).SelectMany(static log => Enumerable.Repeat(1 << log, Math.Min(200, (8 * Mebibyte) >> log)))
                .Select(bytes => allocator.Rent<byte>(bytes, 1)),
        ];
        Margin.AssertReadable(images);
        Array.ForEach(images, static image => image.Dispose());
        GC.EndNoGCRegion();
    }

    private static void ReleaseNeighbours(string[] arguments)
    {
        (PixelAllocator allocator, int block) = Create(arguments);
        using PixelBuffer<byte> single = allocator.Rent<byte>(block, 1);
        PixelBuffer<byte> many = allocator.Rent<byte>(block, 9);
        PixelBuffer<byte> run = allocator.Rent<byte>(block, 9, AllocationOptions.Contiguous);
        PixelPattern.Fill(many, 1);
        PixelPattern.Fill(run, 2);
        many.Dispose();
        run.Dispose();

        // Each of these has two blocks, of which the neighbours go one after the other.
        using PixelBuffer<byte> two = allocator.Rent<byte>(block, 2);
        using PixelBuffer<byte> pair = allocator.Rent<byte>(block, 2, AllocationOptions.Contiguous);
        for (int left = 14; left >= 0; left--)
        {
            allocator.TrimTo((long)left * block);
            Margin.AssertReadable(single, two, pair);
        }

        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        allocator.Dispose();
    }

    private static void MoveNeighbours(string[] arguments)
    {
        (PixelAllocator allocator, int block) = Create(arguments);
        PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 16).Select(_ => allocator.Rent<byte>(block, 1)).OrderBy(RunSystem.AddressOf)];
        using (PixelBuffer<byte> together = allocator.Rent<byte>(block, 16))
        {
            PixelPattern.Fill(together, 1);
        }

        PixelBuffer<byte>[] others = [.. Enumerable.Range(0, 16).Select(_ => allocator.Rent<byte>(block, 1)).OrderBy(RunSystem.AddressOf)];
        PixelBuffer<byte>[] stay = [.. images.Concat(others).Where(static (_, i) => i % 2 == 0)];
        foreach (PixelBuffer<byte> image in images.Concat(others).Except(stay))
        {
            PixelPattern.Fill(image, 2);
            image.Dispose();
        }

        using (PixelBuffer<byte> run = allocator.Rent<byte>(block, 12, AllocationOptions.Contiguous))
        {
            Margin.AssertReadable([run, .. stay]);
        }

        // Its blocks are images again, and some of them go.
        using PixelBuffer<byte> last = allocator.Rent<byte>(block, 5);
        allocator.Trim();
        Margin.AssertReadable([last, .. stay]);
        Array.ForEach(stay, static image => image.Dispose());
        allocator.Dispose();
    }

    private static void RentAndReturnAtRandom(string[] arguments)
    {
        (PixelAllocator allocator, int block) = Create(arguments);
        int seed = Environment.ProcessId;
        Console.WriteLine($"seed {seed}");
        var random = new Random(seed);
        List<PixelBuffer<byte>> rented = [];
        for (int step = 0; step < 400; step++)
        {
            int action = random.Next(8);
            if (action < 4 && rented.Sum(static image => image.Height) < 60)
            {
                rented.Add(allocator.Rent<byte>(block, random.Next(1, 7), action < 2 ? AllocationOptions.Contiguous : AllocationOptions.None));
                rented[^1][0, 0] = 1;
            }
            else if (action < 7 && rented.Count != 0)
            {
                int i = random.Next(rented.Count);
                rented[i].Dispose();
                rented.RemoveAt(i);
            }
            else
            {
                allocator.TrimTo(random.Next(20) * (long)block);
            }

            Margin.AssertReadable(rented);
        }

        rented.ForEach(static image => image.Dispose());
        allocator.Dispose();
    }

    private static (PixelAllocator Allocator, int BlockBytes) Create(string[] arguments)
    {
        int block = int.Parse(arguments[0], CultureInfo.InvariantCulture);
        PixelAllocatorOptions options = new() { BlockBytes = block, SmallBuffers = SmallBufferStrategy.None, MaxPooledBytes = 64L * block, TrimPolicy = TrimPolicy.None };
        return (PixelAllocator.Create(options), block);
    }
}
