using System.Buffers;
using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Photos;
using Imaging.Resizing;
using PixelPool;

namespace Imaging.Thumbnails;

/// <summary>Decode, resize, encode: one photo from file to file. Threads share it.</summary>
public sealed class ThumbnailPipeline(ThumbnailSettings settings, ImageMemory memory, TimeProvider time)
{
    private int _decoded;

    /// <summary>Never throws because of what a file holds: it says so in the outcome, and has given back all memory.</summary>
    public PhotoOutcome Process(Photo photo)
    {
        try
        {
            long start = time.GetTimestamp();
            Image<Rgb24> image = Decode(photo);
            try
            {
                long decoded = time.GetTimestamp();
                using Image<Rgb24> thumbnail = Resizer.Shrink(image, settings.Size, settings.Format.EncodeLayout, memory);
                long resized = time.GetTimestamp();
                WholeFile.Write(ThumbnailPath(photo), file => settings.Format.Encode(thumbnail, file, memory));

                var times = new StageTimes(
                    time.GetElapsedTime(start, decoded), time.GetElapsedTime(decoded, resized), time.GetElapsedTime(resized));
                return PhotoOutcome.Done(photo, image.PixelCount, times);
            }
            finally
            {
                if (!ForgetsToDispose())
                {
                    image.Dispose();
                }
            }
        }
        catch (Exception problem) when (IsAboutThePhoto(problem))
        {
            return PhotoOutcome.Skipped(photo, problem.Message);
        }
    }

    /// <summary>Where the thumbnail is, or will be.</summary>
    public string ThumbnailPath(Photo photo) => Path.Combine(settings.Folder, photo.ThumbnailName + settings.Format.Extensions[0]);

    /// <summary>The file's own bytes go back before the thumbnail is made.</summary>
    private Image<Rgb24> Decode(Photo photo)
    {
        using IMemoryOwner<byte> file = photo.Read(memory);
        return ImageCodecs.Recognize(file.Memory.Span).Decode(file.Memory, memory);
    }

    /// <summary>The mistake that the pool is made to survive; committed when asked to.</summary>
    private bool ForgetsToDispose() => settings.LeakEvery > 0 && Interlocked.Increment(ref _decoded) % settings.LeakEvery == 0;

    private static bool IsAboutThePhoto(Exception problem) =>
        problem is InvalidDataException or NotSupportedException or IOException or UnauthorizedAccessException
            or InvalidMemoryOperationException or OutOfMemoryException;
}
