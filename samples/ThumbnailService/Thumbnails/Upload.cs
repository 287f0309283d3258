using System.Buffers;
using System.IO.Pipelines;
using Imaging.Codecs.Jpeg;

namespace ThumbnailService.Thumbnails;

/// <summary>What can be known of a body before memory is taken for it.</summary>
internal static class Upload
{
    /// <summary>The length that the client announced. Who announces none cannot be told how much memory it will take, and is refused.</summary>
    public static int FileBytes(HttpRequest request, ServiceSettings settings) => request.ContentLength switch
    {
        null => throw new BadHttpRequestException("Send the photo with a Content-Length, not in chunks.", StatusCodes.Status411LengthRequired),
        0 => throw new InvalidDataException("The request has no body; send a JPEG file."),
        > 0 and { } bytes when bytes <= settings.MaxFileBytes => (int)bytes,
        { } bytes => throw new BadHttpRequestException(
            $"The file has {bytes:#,0} bytes; at most {settings.MaxFileBytes:#,0} are accepted.", StatusCodes.Status413PayloadTooLarge),
    };

    /// <summary>Looks at the beginning of the body and leaves it there. What was not looked at waits in the connection, and then in the sender.</summary>
    public static async Task<JpegHeader> PeekHeaderAsync(PipeReader body, ServiceSettings settings, CancellationToken cancellation)
    {
        while (true)
        {
            ReadResult result = await body.ReadAsync(cancellation);

            // More of it may have come already: what is searched does not depend on that.
            bool isLong = result.Buffer.Length >= settings.MaxHeaderBytes;
            bool isOver = result.IsCompleted || isLong;
            SequencePosition examined = result.Buffer.Start;
            bool found;
            JpegHeader header;
            try
            {
                found = JpegHeaderReader.TryRead(result.Buffer.Slice(0, Math.Min(result.Buffer.Length, settings.MaxHeaderBytes)), out header);
                if (!found && !isOver)
                {
                    // What was examined does not wake the reader again: more is needed.
                    examined = result.Buffer.End;
                }
            }
            finally
            {
                // Also when this is no photo: the server itself reads the rest of a body that is refused, and only one can read.
                body.AdvanceTo(result.Buffer.Start, examined);
            }

            if (found)
            {
                return header;
            }

            if (isOver)
            {
                throw new InvalidDataException(isLong
                    ? $"The picture does not begin within the first {settings.MaxHeaderBytes:#,0} bytes."
                    : "The JPEG file ends before its picture begins.");
            }
        }
    }
}
