using System.Runtime.InteropServices;
using System.Security.Cryptography;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Formats.Gif;
using SixLabors.ImageSharp.Formats.Jpeg;
using SixLabors.ImageSharp.Formats.Png;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace ImageSharp.Comparison.Work;

/// <summary>Single operations, each of which walks over many rows: there it shows what a row costs.</summary>
internal sealed class OperationsWork(Configuration configuration) : IWork
{
    private const int Width = 3000;
    private const int Height = 2000;
    private const int Repetitions = 10;

    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);

    private readonly (string Name, Func<Image<Rgba32>, Image<Rgba32>> Do)[] _operations =
    [
        ("Gaussian blur", static image => image.Clone(static image => image.GaussianBlur(3))),
        ("rotate by 90°", static image => image.Clone(static image => image.Rotate(RotateMode.Rotate90))),
        ("flip", static image => image.Clone(static image => image.Flip(FlipMode.Horizontal))),
        ("resize to a half", static image => image.Clone(static image => image.Resize(Width / 2, Height / 2))),
        ("resize to 150 pixels", static image => image.Clone(static image => image.Resize(150, 0))),
        ("quantise a sixth", static image => image.Clone(static image => image.Resize(Width / 6, 0).Quantize(KnownQuantizers.Wu))),
        ("encode JPEG", static image => Encoded(image, new JpegEncoder())),
        ("encode PNG of a sixth", static image => Encoded(image.Clone(static image => image.Resize(Width / 6, 0)), new PngEncoder(), owned: true)),
        ("encode GIF of a sixth", static image => Encoded(image.Clone(static image => image.Resize(Width / 6, 0)), new GifEncoder(), owned: true)),
    ];

    public string Hash { get; private set; } = string.Empty;

    public void WarmUp()
    {
        using Image<Rgba32> image = DrawnPhotos.Draw<Rgba32>(configuration, 300, 200);
        foreach ((_, Func<Image<Rgba32>, Image<Rgba32>> operation) in _operations)
        {
            for (int i = 0; i < 5; i++)
            {
                operation(image).Dispose();
            }
        }
    }

    public Dictionary<string, Cost> Run()
    {
        using Image<Rgba32> image = DrawnPhotos.Draw<Rgba32>(configuration, Width, Height);
        var costs = new Dictionary<string, Cost>();
        foreach ((string name, Func<Image<Rgba32>, Image<Rgba32>> operation) in _operations)
        {
            var best = new Cost(double.MaxValue, double.MaxValue);
            for (int i = 0; i < Repetitions; i++)
            {
                Image<Rgba32> result = null!;
                best = Cost.Best(best, Cost.Of(() => result = operation(image)));
                AddToHash(result);
                result.Dispose();
            }

            costs[name] = best;
        }

        Hash = Convert.ToHexString(_hash.GetHashAndReset());
        return costs;
    }

    // The file becomes an image of one row: what it holds is looked at as other results are.
    private static Image<Rgba32> Encoded(Image<Rgba32> image, SixLabors.ImageSharp.Formats.IImageEncoder encoder, bool owned = false)
    {
        using var file = new MemoryStream();
        image.Save(file, encoder);
        if (owned)
        {
            image.Dispose();
        }

        byte[] pixels = new byte[(file.Length + 3) / 4 * 4];
        file.ToArray().CopyTo(pixels, 0);
        return Image.LoadPixelData<Rgba32>(pixels, pixels.Length / 4, 1);
    }

    private void AddToHash(Image<Rgba32> image) => image.ProcessPixelRows(rows =>
    {
        for (int y = 0; y < rows.Height; y++)
        {
            _hash.AppendData(MemoryMarshal.AsBytes(rows.GetRowSpan(y)));
        }
    });
}
