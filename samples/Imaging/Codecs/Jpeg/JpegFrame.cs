using System.Buffers;

namespace Imaging.Codecs.Jpeg;

/// <summary>A start-of-frame segment (ITU-T T.81, B.2.2).</summary>
internal sealed record JpegFrame(int Width, int Height, bool IsProgressive, IReadOnlyList<JpegComponent> Components)
{
    private const int BlockSide = 8;
    private const int CoefficientBlockBytes = BlockSide * BlockSide * sizeof(short);

    /// <summary>The coefficients of all components. Every component is padded to whole blocks, and to as many as belong together.</summary>
    public long CoefficientBytes
    {
        get
        {
            int maxHorizontal = Components.Max(component => component.HorizontalSampling);
            int maxVertical = Components.Max(component => component.VerticalSampling);
            return CoefficientBlockBytes * Components.Sum(component =>
                BlocksAlong(Width, component.HorizontalSampling, maxHorizontal) * BlocksAlong(Height, component.VerticalSampling, maxVertical));
        }
    }

    /// <exception cref="InvalidDataException">The segment contradicts itself.</exception>
    public static JpegFrame Read(ReadOnlySequence<byte> segment, bool isProgressive)
    {
        // Bits per sample come first: what it does not know, the decoder refuses.
        var reader = new SequenceReader<byte>(segment);
        if (!reader.TryRead(out _) || !reader.TryReadBigEndian(out short height) || !reader.TryReadBigEndian(out short width)
            || !reader.TryRead(out byte count) || count == 0 || reader.Remaining != 3 * count)
        {
            throw new InvalidDataException("The header of the JPEG file is broken.");
        }

        var components = new JpegComponent[count];
        for (int i = 0; i < count; i++)
        {
            reader.Advance(1);
            reader.TryRead(out byte sampling);
            reader.Advance(1);
            components[i] = new JpegComponent(Sampling(sampling >> 4), Sampling(sampling & 0xF));
        }

        return new JpegFrame((ushort)width, (ushort)height, isProgressive, components);
    }

    private static long BlocksAlong(int pixels, int sampling, int maxSampling)
    {
        long blocks = (((long)pixels * sampling) + (maxSampling * BlockSide) - 1) / (maxSampling * BlockSide);
        return (blocks + sampling - 1) / sampling * sampling;
    }

    private static int Sampling(int value) =>
        value is >= 1 and <= 4 ? value : throw new InvalidDataException("The header of the JPEG file is broken.");
}
