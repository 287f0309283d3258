using System.Buffers;
using System.IO.Pipelines;
using Imaging.Testing;
using ThumbnailService.Thumbnails;

namespace ThumbnailService.Tests.Endpoints;

/// <summary>How much of a body is searched for its header does not depend on how much of it has come.</summary>
public class UploadTests
{
    [Theory]
    [InlineData(3, true)]
    [InlineData(6, false)]
    public async Task A_header_is_searched_in_the_first_bytes_only_when_all_of_the_body_is_there(int comments, bool isFound)
    {
        // Comments of 64 KiB each.
        byte[] comment = [0xFF, 0xFE, 0xFF, 0xFF, .. new byte[0xFFFD]];
        byte[] body = [0xFF, 0xD8, .. Enumerable.Repeat(comment, comments).SelectMany(static bytes => bytes), .. TestJpeg.Make(500, 400)[2..]];
        PipeReader reader = PipeReader.Create(new ReadOnlySequence<byte>(body));
        Exception? refusal = await Record.ExceptionAsync(() => Upload.PeekHeaderAsync(reader, new ServiceSettings(), TestContext.Current.CancellationToken));
        Assert.Equal(isFound, refusal is null);
        Assert.True(isFound || refusal!.Message.Contains("within the first", StringComparison.Ordinal), refusal?.ToString());
    }
}
