using Imaging.Codecs;

namespace Imaging.Tests.Codecs;

public class CodecLibraryTests
{
    [Theory]
    [InlineData("Insufficient memory (case 4)", true)]
    [InlineData("tjDecompress2(): Memory allocation failure", true)]
    [InlineData("libpng gave up: png_image_read: out of memory.", true)]
    [InlineData("libpng gave up: insufficient memory.", true)]
    [InlineData("Premature end of JPEG file", false)]
    [InlineData("libpng gave up: png_image_begin_read_from_memory: invalid argument.", false)]
    public void A_file_is_not_broken_because_there_is_no_memory_for_it(string message, bool isAboutMemory)
    {
        Exception failure = CodecLibrary.Failure(message);
        Assert.Equal(isAboutMemory ? typeof(OutOfMemoryException) : typeof(InvalidDataException), failure.GetType());
        Assert.Equal(message, failure.Message);
    }
}
