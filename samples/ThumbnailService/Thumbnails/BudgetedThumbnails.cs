using System.Buffers;
using Imaging.Codecs.Jpeg;
using Imaging.Memory;
using PixelPool;
using ThumbnailService.Memory;

namespace ThumbnailService.Thumbnails;

/// <summary>Knows what a request will need before it begins, and waits for room for all of it.</summary>
internal sealed class BudgetedThumbnails(PixelAllocator allocator, ServiceSettings settings) : IThumbnails
{
    public async Task<byte[]> MakeAsync(HttpRequest request, CancellationToken cancellation)
    {
        int fileBytes = Upload.FileBytes(request, settings);
        JpegHeader header = await Upload.PeekHeaderAsync(request.BodyReader, settings, cancellation);
        long bytes = RequestMemory.BytesFor(allocator, header, fileBytes, settings.ThumbnailSide);
        using RentScope scope = await ReserveAsync(header, bytes, cancellation);
        scope.Tag = $"{header.Width} × {header.Height} pixels";
        using var memory = new ScopeImageMemory(scope);

        using Image<Rgb24> photo = await DecodeAsync(request, fileBytes, header, scope, memory, cancellation);
        return PhotoToThumbnail.Shrink(photo, settings.ThumbnailSide, memory);
    }

    private async ValueTask<RentScope> ReserveAsync(JpegHeader header, long bytes, CancellationToken cancellation)
    {
        try
        {
            return await allocator.ReserveScopeAsync(bytes, cancellation);
        }
        catch (PixelBudgetExceededException problem) when (problem.RequestedBytes <= problem.LimitBytes)
        {
            // Others held it for as long as AsyncRentTimeout says.
            throw new BadHttpRequestException("There is no memory for this photo now; try again later.", StatusCodes.Status503ServiceUnavailable, problem);
        }
        catch (PixelBudgetExceededException problem)
        {
            // Waiting would not help: it is more than the whole budget.
            throw new BadHttpRequestException(
                $"A photo of {header.Width} × {header.Height} pixels takes {Mebibytes(bytes)} of memory here; this service has {Mebibytes(problem.LimitBytes)}.",
                StatusCodes.Status413PayloadTooLarge,
                problem);
        }
    }

    /// <summary>The file goes back before the thumbnail is made, and so does what libjpeg-turbo takes beside the pool: idle blocks make room for it.</summary>
    private static async Task<Image<Rgb24>> DecodeAsync(
        HttpRequest request, int fileBytes, JpegHeader header, RentScope scope, ImageMemory memory, CancellationToken cancellation)
    {
        using IMemoryOwner<byte> file = memory.RentBytes(fileBytes);
        await request.Body.ReadExactlyAsync(file.Memory, cancellation);
        using ExternalCharge decoder = scope.ChargeExternal(RequestMemory.DecoderBytesFor(header));
        return PhotoToThumbnail.Decode(file.Memory, memory);
    }

    private static string Mebibytes(long bytes) => $"{bytes / (double)(1 << 20):#,0} MiB";
}
