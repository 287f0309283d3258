using System.Buffers;
using Imaging.Memory;

namespace ThumbnailService.Thumbnails;

/// <summary>For contrast: takes memory when it is needed, as much as is needed, and hopes that it is there.</summary>
internal sealed class PlainThumbnails(ImageMemory memory, ServiceSettings settings) : IThumbnails
{
    public async Task<byte[]> MakeAsync(HttpRequest request, CancellationToken cancellation)
    {
        using IMemoryOwner<byte> file = memory.RentBytes(Upload.FileBytes(request, settings));
        await request.Body.ReadExactlyAsync(file.Memory, cancellation);

        using Image<Rgb24> photo = PhotoToThumbnail.Decode(file.Memory, memory);
        return PhotoToThumbnail.Shrink(photo, settings.ThumbnailSide, memory);
    }
}
