using System.Security.Cryptography;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.Formats.Jpeg;
using SixLabors.ImageSharp.PixelFormats;
using SixLabors.ImageSharp.Processing;

namespace ImageSharp.Comparison.Work;

/// <summary>Decodes photos, makes thumbnails of 150 pixels and encodes them.</summary>
internal sealed class ThumbnailWork : IWork
{
    public const string FirstPass = "first pass";
    public const string SecondPass = "second pass";

    private readonly Configuration _configuration;
    private readonly byte[][] _photos;
    private readonly byte[][] _thumbnails;
    private readonly int _threads;

    public ThumbnailWork(Configuration configuration, string photos, int threads)
    {
        _configuration = configuration;
        _photos = [.. Directory.EnumerateFiles(photos, "*.jpg").Order(StringComparer.Ordinal).Select(File.ReadAllBytes)];
        _thumbnails = new byte[_photos.Length][];
        _threads = threads;
        configuration.MaxDegreeOfParallelism = threads > 1 ? 1 : Environment.ProcessorCount;
    }

    public string Hash => Convert.ToHexString(SHA256.HashData([.. _thumbnails.SelectMany(static thumbnail => thumbnail)]));

    public void WarmUp()
    {
        // The smallest one: what the pools keep of it counts little.
        int smallest = Array.IndexOf(_photos, _photos.MinBy(static photo => photo.Length));
        for (int i = 0; i < 3; i++)
        {
            Make(smallest);
        }
    }

    public Dictionary<string, Cost> Run() => new()
    {
        // Fresh memory and code that is being compiled; then what a service does all day.
        [FirstPass] = Cost.Of(MakeAll),
        [SecondPass] = Cost.Of(MakeAll),
    };

    private void MakeAll()
    {
        int next = 0;
        var threads = new Thread[_threads];
        for (int i = 0; i < threads.Length; i++)
        {
            threads[i] = new Thread(() =>
            {
                for (int photo = Interlocked.Increment(ref next) - 1; photo < _photos.Length; photo = Interlocked.Increment(ref next) - 1)
                {
                    Make(photo);
                }
            });
            threads[i].Start();
        }

        Array.ForEach(threads, static thread => thread.Join());
    }

    private void Make(int photo)
    {
#if IMAGESHARP_3
        using Image<Rgb24> image = Image.Load<Rgb24>(new SixLabors.ImageSharp.Formats.DecoderOptions { Configuration = _configuration }, _photos[photo]);
#else
        using Image<Rgb24> image = Image.Load<Rgb24>(_configuration, _photos[photo]);
#endif
        image.Mutate(static image => image.Resize(150, 0));
        using var file = new MemoryStream();
        image.Save(file, new JpegEncoder());
        _thumbnails[photo] = file.ToArray();
    }
}
