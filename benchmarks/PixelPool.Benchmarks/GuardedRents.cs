using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "Guarded rents",
    """
    An image of 4-byte pixels, 64 x 64 or 1024 x 768, is rented, filled once and returned. *Made grey*: each pixel is also computed once, by a plain loop; a decoder takes several times as long. A guarded rent takes its pages
    from the system, so each of them, small or huge, costs a page fault, and looks at two stacks. The more a program does with an image, the less guarded rents cost it.
    """,
    Across = nameof(Width))]
public class GuardedRents
{
    private readonly PixelAllocator _without = Create(0);
    private readonly PixelAllocator _oneIn10000 = Create(10_000);
    private readonly PixelAllocator _oneIn1000 = Create(1000);
    private readonly PixelAllocator _all = Create(1);

    [Params(64, 1024)]
    public int Width { get; set; }

    [Params("filled", "made grey")]
    public string Work { get; set; } = string.Empty;

    [Benchmark(Baseline = true, Description = "no rent is guarded")]
    public void None() => Use(_without);

    [Benchmark(Description = "one in 10,000")]
    public void OneIn10000() => Use(_oneIn10000);

    [Benchmark(Description = "one in 1,000")]
    public void OneIn1000() => Use(_oneIn1000);

    [Benchmark(Description = "every one")]
    public void All() => Use(_all);

    private static PixelAllocator Create(int sampling) => PixelAllocator.Create(new PixelAllocatorOptions { GuardedRentSampling = sampling });

    private void Use(PixelAllocator allocator)
    {
        using PixelLease<uint> image = allocator.Lease<uint>(Width, Width == 64 ? 64 : 768);
        image.Fill(1);
        if (Work == "made grey")
        {
            image.ProcessPixelRows(MakeGrey);
        }
    }

    private static void MakeGrey(PixelAccessor<uint> rows)
    {
        for (int y = 0; y < rows.Height; y++)
        {
            foreach (ref uint pixel in rows.GetRowSpan(y))
            {
                uint grey = ((77 * (pixel & 0xFF)) + (151 * ((pixel >> 8) & 0xFF)) + (28 * ((pixel >> 16) & 0xFF))) >> 8;
                pixel = (pixel & 0xFF000000) | (grey * 0x010101);
            }
        }
    }
}
