using System.Buffers;
using Imaging.Codecs;

namespace Imaging.Codecs.Jpeg;

/// <summary>
/// Reads the segments before the picture: from these few thousand bytes the service knows how much memory a request will take, before it takes any.
/// </summary>
public static class JpegHeaderReader
{
    private const byte Temporary = 0x01;
    private const byte FirstRestart = 0xD0;
    private const byte LastRestart = 0xD7;
    private const byte StartOfImage = 0xD8;
    private const byte EndOfImage = 0xD9;
    private const byte StartOfScan = 0xDA;

    /// <param name="file">The file's first bytes.</param>
    /// <param name="header">What they tell.</param>
    /// <returns>False when more bytes are needed.</returns>
    /// <exception cref="InvalidDataException">No JPEG file begins like this.</exception>
    public static bool TryRead(ReadOnlySequence<byte> file, out JpegHeader header)
    {
        header = default;
        JpegFrame? frame = null;
        var reader = new SequenceReader<byte>(file);
        bool isFirst = true;
        while (TryReadMarker(ref reader, out byte marker))
        {
            if (isFirst && marker != StartOfImage)
            {
                throw new InvalidDataException("This is not a JPEG file.");
            }

            if (isFirst)
            {
                isFirst = false;
                continue;
            }

            if (!TryReadSegment(ref reader, marker, out ReadOnlySequence<byte> segment))
            {
                return false;
            }

            if (IsStartOfFrame(marker))
            {
                frame = JpegFrame.Read(segment, isProgressive: (marker & 3) == 2);
                ImageDimensions.Check(frame.Width, frame.Height);
            }
            else if (marker == StartOfScan)
            {
                header = Combine(frame ?? throw new InvalidDataException("The JPEG file has no header."), segment);
                return true;
            }
        }

        return false;
    }

    /// <summary>A scan of some of the components is followed by others, as in a progressive file.</summary>
    private static JpegHeader Combine(JpegFrame frame, ReadOnlySequence<byte> scan)
    {
        bool severalScans = frame.IsProgressive || !new SequenceReader<byte>(scan).TryPeek(out byte count) || count < frame.Components.Count;
        return new JpegHeader(frame.Width, frame.Height, severalScans ? frame.CoefficientBytes : 0);
    }

    private static bool TryReadMarker(ref SequenceReader<byte> reader, out byte marker)
    {
        marker = 0;
        if (!reader.TryRead(out byte prefix))
        {
            return false;
        }

        if (prefix != 0xFF)
        {
            throw new InvalidDataException("This is not a JPEG file.");
        }

        // Any number of FF may stand before a marker.
        reader.AdvancePast(0xFF);
        return reader.TryRead(out marker);
    }

    private static bool TryReadSegment(ref SequenceReader<byte> reader, byte marker, out ReadOnlySequence<byte> segment)
    {
        segment = default;
        if (marker is 0 or EndOfImage)
        {
            throw new InvalidDataException("The JPEG file has no picture.");
        }

        // They have no length. Whoever reads one skips what the decoder does not: a frame could hide there.
        if (marker is Temporary or StartOfImage or (>= FirstRestart and <= LastRestart))
        {
            throw Broken();
        }

        if (!reader.TryReadBigEndian(out short value))
        {
            return false;
        }

        int length = (ushort)value - sizeof(short);
        return length < 0 ? throw Broken() : reader.TryReadExact(length, out segment);
    }

    private static InvalidDataException Broken() => new("The header of the JPEG file is broken.");

    /// <summary>SOF0 to SOF15, without the three that mean something else: DHT, JPG and DAC.</summary>
    private static bool IsStartOfFrame(byte marker) => marker is >= 0xC0 and <= 0xCF and not (0xC4 or 0xC8 or 0xCC);
}
