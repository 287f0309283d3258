using System.Runtime.InteropServices;
using System.Threading.Channels;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Documentation;

/// <summary>The snippets of <c>docs/recipes.md</c>, compiled and run; that of ASP.NET Core is in the tests of the thumbnail service, those that need packages in the tests of managed libraries and of ImageSharp.</summary>
public sealed partial class RecipesPageTests : IDisposable
{
    private readonly PixelAllocator _allocator = PixelAllocator.Create();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        Assert.Equal(0, _allocator.GetStatistics().RentedBytes);
        _allocator.Dispose();
    }

    [Fact]
    public void Grey()
    {
        PixelAllocator allocator = _allocator;
        CancellationToken cancellation = Token;
        using PixelBuffer<Rgba> photo = allocator.Rent<Rgba>(1001, 701);
        photo.Fill(new Rgba(200, 100, 50, 255));

        #region docs/recipes.md
        using PixelBuffer<byte> grey = allocator.Rent<byte>(photo.Width, photo.Height);

        photo.ProcessPixelRowsInParallel(
            grey,
            static (from, to) =>
            {
                for (int y = 0; y < from.Height; y++)
                {
                    Span<Rgba> source = from.GetRowSpan(y);
                    Span<byte> target = to.GetRowSpan(y);
                    for (int x = 0; x < source.Length; x++)
                    {
                        Rgba pixel = source[x];
                        target[x] = (byte)(((77 * pixel.R) + (150 * pixel.G) + (29 * pixel.B)) >> 8);
                    }
                }
            },
            cancellation);
        #endregion

        grey.ProcessPixelRows(static rows => Assert.Equal(-1, rows.GetRowSpan(700).IndexOfAnyExcept((byte)124)));
    }

    [Fact]
    public void A_native_call()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The C library has another name there.");
        PixelAllocator allocator = _allocator;

        #region docs/recipes.md
        using PixelBuffer<uint> frame = allocator.Rent<uint>(1920, 1080, AllocationOptions.Contiguous);
        using (PinnedPixels pixels = frame.Pin())
        {
            FillBytes(pixels.Address, 0xFF, (nuint)pixels.Stride * (nuint)pixels.Height);
        }
        #endregion

        Assert.Equal(uint.MaxValue, frame[1919, 1079]);
    }

#pragma warning disable SYSLIB1054 // The page shows what needs no unsafe code.
    #region docs/recipes.md
    [DllImport("libc", EntryPoint = "memset")]
    private static extern nint FillBytes(nint address, int value, nuint bytes);
    #endregion
#pragma warning restore SYSLIB1054

    [Theory]
    [InlineData(641, 359)]
    [InlineData(640, 360)]
    public void Planes(int width, int height)
    {
        PixelAllocator allocator = _allocator;
        using PlanarImage frame = allocator.RentPlanar(PlanarLayout.Yuv420(width, height));
        frame.Planes[0].Fill(81);
        frame.Planes[1].Fill(90);
        frame.Planes[2].Fill(240);
        frame.Planes[2][(width - 1) / 2, (height - 1) / 2] = 128;

        #region docs/recipes.md
        using PixelBuffer<Rgba> picture = allocator.Rent<Rgba>(frame.Width, frame.Height);

        picture.ProcessPixelRowsInParallel(
            [.. frame.Planes],
            128,
            static (to, planes, zero) =>
            {
                for (int y = 0; y < to.Height; y++)
                {
                    Span<byte> luma = planes[0].GetRowSpan(y);
                    Span<byte> u = planes[1].GetRowSpan(y / 2);
                    Span<byte> v = planes[2].GetRowSpan(y / 2);
                    Span<Rgba> target = to.GetRowSpan(y);
                    for (int x = 0; x < target.Length; x++)
                    {
                        float blue = u[x / 2] - zero;
                        float red = v[x / 2] - zero;
                        target[x] = new Rgba(
                            (byte)Math.Clamp(luma[x] + (1.402f * red), 0, 255),
                            (byte)Math.Clamp(luma[x] - (0.344f * blue) - (0.714f * red), 0, 255),
                            (byte)Math.Clamp(luma[x] + (1.772f * blue), 0, 255),
                            255);
                    }
                }
            });
        #endregion

        Assert.Equal(new Rgba(238, 14, 13, 255), picture[0, 0]);
        Assert.Equal(new Rgba(238, 14, 13, 255), picture[0, height - 1]);
        Assert.Equal(81, picture[width - 1, height - 1].R); // of the last chroma sample alone
    }

    [Fact]
    public void A_histogram()
    {
        using PixelBuffer<byte> grey = _allocator.Rent<byte>(1003, 777);
        grey.Fill(7);
        grey[5, 5] = 255;

        #region docs/recipes.md
        int[] histogram = grey.ProcessPixelRowsInParallel(
            256,
            static (band, levels) =>
            {
                int[] counts = new int[levels];
                foreach (Span<byte> row in band)
                {
                    foreach (byte level in row)
                    {
                        counts[level]++;
                    }
                }

                return counts;
            },
            static (sum, counts) =>
            {
                for (int level = 0; level < sum.Length; level++)
                {
                    sum[level] += counts[level];
                }

                return sum;
            });
        #endregion

        Assert.Equal(((1003 * 777) - 1, 1), (histogram[7], histogram[255]));
    }

    [Fact]
    public void A_difference()
    {
        using PixelBuffer<byte> before = _allocator.Rent<byte>(1000, 700);
        using PixelBuffer<byte> after = _allocator.Rent<byte>(1000, 700);
        before.Fill(10);
        after.Fill(13);
        after[999, 699] = 20;

        #region docs/recipes.md
        int most = before.ProcessPixelRowsInParallel(
            after,
            static (a, b) =>
            {
                int most = 0;
                for (int y = 0; y < a.Height; y++)
                {
                    Span<byte> old = a.GetRowSpan(y);
                    Span<byte> now = b.GetRowSpan(y);
                    for (int x = 0; x < old.Length; x++)
                    {
                        most = Math.Max(most, Math.Abs(old[x] - now[x]));
                    }
                }

                return most;
            },
            Math.Max);
        #endregion

        Assert.Equal(10, most);
    }

    [Fact]
    public void A_taller_image()
    {
        PixelAllocator allocator = _allocator;
        PixelBuffer<uint> scan = allocator.Rent<uint>(2480, 100);
        scan.Fill(1);
        scan = Grow(allocator, scan, 250);
        Assert.Equal((250, 1u, 0u), (scan.Height, scan[2479, 99], scan[2479, 100]));
        scan.Dispose();

        #region docs/recipes.md
        static PixelBuffer<uint> Grow(PixelAllocator allocator, PixelBuffer<uint> image, int height)
        {
            PixelBuffer<uint> taller = allocator.Rent<uint>(image.Width, height, AllocationOptions.Clean);
            using (PixelBuffer<uint> top = taller.View(0, 0, image.Width, image.Height))
            {
                image.CopyTo(top);
            }

            image.Dispose();
            return taller;
        }
        #endregion
    }

    [Fact]
    public async Task A_ring_of_frames()
    {
        PixelAllocator allocator = _allocator;
        CancellationToken cancellation = Token;
        long shown = 0;

        #region docs/recipes.md
        var frames = Channel.CreateBounded<PixelLease<uint>>(3);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        await Task.WhenAll(ProduceAsync(), ConsumeAsync());

        async Task ProduceAsync()
        {
            try
            {
                for (uint number = 1; number <= 100; number++)
                {
                    PixelLease<uint> frame = await allocator.LeaseAsync<uint>(1920, 1080, cancellationToken: stop.Token);
                    try
                    {
                        frame.Fill(number);
                        await frames.Writer.WriteAsync(frame, stop.Token);
                    }
                    catch
                    {
                        frame.Dispose();
                        throw;
                    }
                }
            }
            finally
            {
                frames.Writer.Complete();
            }
        }

        async Task ConsumeAsync()
        {
            try
            {
                await foreach (PixelLease<uint> frame in frames.Reader.ReadAllAsync(cancellation))
                {
                    using (frame)
                    {
                        shown += frame[0, 0];
                    }
                }
            }
            finally
            {
                stop.Cancel();
                while (frames.Reader.TryRead(out PixelLease<uint> left))
                {
                    left.Dispose();
                }
            }
        }
        #endregion

        Assert.Equal(5050, shown);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.InRange(statistics.PeakHeldBytes, 1, 5 * allocator.GetHeldBytes<uint>(1920, 1080)); // "at most 5 frames"
        Assert.Equal((0L, 0L), (statistics.LeakedCount, statistics.SecondReturns));
    }

    [Fact]
    public async Task A_clock()
    {
        var time = new ManualTime();

        #region docs/recipes.md
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { TimeProvider = time, MaxRentedBytes = 64 << 20 });

        using (allocator.Rent<uint>(4000, 3000))
        {
            using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(5), time);
            ValueTask<PixelBuffer<uint>> second = allocator.RentAsync<uint>(4000, 3000, cancellationToken: patience.Token);
            time.Advance(TimeSpan.FromSeconds(5));
            await Assert.ThrowsAsync<OperationCanceledException>(async () => await second);
        }

        time.Advance(TimeSpan.FromSeconds(35));
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        #endregion

        Assert.Equal(1, allocator.GetStatistics().Waits);
    }
}
