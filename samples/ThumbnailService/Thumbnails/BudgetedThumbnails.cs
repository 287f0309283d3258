using System.Buffers;
using LoadResizeSave.Memory;
using PixelPool;
using ThumbnailService.Jpeg;
using ThumbnailService.Memory;

namespace ThumbnailService.Thumbnails;

/// <summary>Knows what a request will need before it begins, and waits for room for all of it: first come, first served.</summary>
internal sealed class BudgetedThumbnails(PixelAllocator allocator, ServiceSettings settings) : IThumbnails
{
    public async Task<byte[]> MakeAsync(HttpRequest request, CancellationToken cancellation)
    {
        int fileBytes = Upload.FileBytes(request, settings);
        JpegHeader header = await Upload.PeekHeaderAsync(request.BodyReader, settings, cancellation);
        long bytes = RequestMemory.BytesFor(header, fileBytes, settings.ThumbnailSide);
        using var memory = new ScopeImageMemory(await ReserveAsync(header, bytes, cancellation));
        MakeRoomForDecoder(header, bytes);

        using Image<Rgb24> photo = await DecodeAsync(request, fileBytes, memory, cancellation);
        return PhotoToThumbnail.Shrink(photo, settings.ThumbnailSide, memory);
    }

    private async ValueTask<RentScope> ReserveAsync(JpegHeader header, long bytes, CancellationToken cancellation)
    {
        try
        {
            return await allocator.ReserveScopeAsync(bytes, cancellation);
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

    /// <summary>
    /// The coefficients of a progressive file lie outside of the pool. They are reserved, but idle blocks may lie where they shall go: so many are given back
    /// that what is idle, what others reserved and what this request takes from elsewhere fit the budget together.
    /// </summary>
    private void MakeRoomForDecoder(JpegHeader header, long reservedBytes)
    {
        if (header.CoefficientBytes > 0 && allocator.GetStatistics() is { BudgetBytes: { } budget } statistics)
        {
            long pooledBytes = reservedBytes - RequestMemory.DecoderBytesFor(header);
            allocator.TrimTo(Math.Max(0, budget - statistics.ChargedBytes + pooledBytes));
        }
    }

    /// <summary>The file goes back before the thumbnail is made.</summary>
    private static async Task<Image<Rgb24>> DecodeAsync(
        HttpRequest request, int fileBytes, ImageMemory memory, CancellationToken cancellation)
    {
        using IMemoryOwner<byte> file = memory.RentBytes(fileBytes);
        await request.Body.ReadExactlyAsync(file.Memory, cancellation);
        return PhotoToThumbnail.Decode(file.Memory, memory);
    }

    private static string Mebibytes(long bytes) => $"{bytes / (double)(1 << 20):#,0} MiB";
}
