using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Resizing;
using Imaging.Testing;

namespace Imaging.Tests.Failures;

/// <summary>Whatever fails on the way, what was rented until then is given back.</summary>
public class FailureTests
{
    private static readonly Picture s_picture = Picture.Random(41, 23);

    public static TheoryData<string> Codecs => [.. UsableCodecs.Select(codec => codec.Name)];

    private static IEnumerable<IImageCodec> UsableCodecs => ImageCodecs.All.Where(codec => codec.IsAvailable);

    [Theory]
    [MemberData(nameof(Codecs))]
    public void Decoding_gives_everything_back_whichever_rent_fails(string name)
    {
        IImageCodec codec = ImageCodecs.Named(name);
        byte[] file = codec.Encode(s_picture);
        FailAtEveryRent(memory => codec.DecodeIn(memory, file));
    }

    [Theory]
    [MemberData(nameof(Codecs))]
    public void Encoding_gives_everything_back_whichever_rent_fails(string name) =>
        FailAtEveryRent(memory => ImageCodecs.Named(name).Encode(s_picture, memory));

    [Fact]
    public void Resizing_gives_everything_back_whichever_rent_fails() => FailAtEveryRent(memory =>
    {
        using Image<Rgb24> image = s_picture.In(memory);
        Resizer.Shrink(image, 10, PixelLayout.Rows, memory).Dispose();
    });

    [Theory]
    [MemberData(nameof(Codecs))]
    public void Encoding_gives_everything_back_when_the_disk_is_full(string name)
    {
        IImageCodec codec = ImageCodecs.Named(name);
        int fileBytes = codec.Encode(s_picture).Length;
        var memory = new ObservedMemory();
        for (int capacity = 0; capacity < fileBytes; capacity += 1 + (fileBytes / 50))
        {
            using (Image<Rgb24> image = s_picture.In(memory, codec.EncodeLayout))
            {
                Assert.Throws<IOException>(() => codec.Encode(image, new FailingStream(capacity), memory));
            }

            Assert.Equal(0, memory.Live);
        }
    }

    private static void FailAtEveryRent(Action<ImageMemory> work)
    {
        var undisturbed = new ObservedMemory();
        work(undisturbed);
        Assert.Equal(0, undisturbed.Live);
        for (int rent = 1; rent <= undisturbed.Rents; rent++)
        {
            var memory = new ObservedMemory { FailAt = rent };
            Assert.Throws<OutOfMemoryException>(() => work(memory));
            Assert.Equal(0, memory.Live);
        }
    }
}
