using Imaging.Codecs;
using Imaging.Memory;

namespace Imaging.Testing;

/// <summary>Codecs as tests use them: between pictures and arrays.</summary>
public static class CodecExtensions
{
    public static byte[] Encode(this IImageCodec codec, Picture picture) => codec.Encode(picture, new ObservedMemory());

    public static byte[] Encode(this IImageCodec codec, Picture picture, ImageMemory memory)
    {
        using var file = new MemoryStream();
        using Image<Rgb24> image = picture.In(memory, codec.EncodeLayout);
        codec.Encode(image, file, memory);
        return file.ToArray();
    }

    public static Picture Decode(this IImageCodec codec, byte[] file)
    {
        var memory = new ObservedMemory();
        Picture picture = codec.DecodeIn(memory, file);
        Assert.Equal(0, memory.Live);
        return picture;
    }

    public static Picture DecodeIn(this IImageCodec codec, ImageMemory memory, byte[] file)
    {
        Assert.True(codec.Recognizes(file));
        using Image<Rgb24> image = codec.Decode(file, memory);
        return Picture.Of(image);
    }

    /// <summary>Decoding throws, says why, and has given back what it rented.</summary>
    /// <returns>What it says.</returns>
    public static string AssertRefuses<TException>(this IImageCodec codec, byte[] file)
        where TException : Exception
    {
        string message = codec.AssertRefuses<TException>(file, out _);
        using ImageMemory pool = Memories.InSmallBlocks();
        Assert.Equal(message, Assert.Throws<TException>(() => codec.Decode(file, pool)).Message);
        Memories.AssertNothingIsRented(pool);
        return message;
    }

    /// <summary>The same without a pool, which is faster.</summary>
    public static string AssertRefuses<TException>(this IImageCodec codec, byte[] file, out int rents)
        where TException : Exception
    {
        var memory = new ObservedMemory();
        TException problem = Assert.Throws<TException>(() => codec.Decode(file, memory));
        Assert.Equal(0, memory.Live);
        Assert.NotEmpty(problem.Message);
        rents = memory.Rents;
        return problem.Message;
    }
}
