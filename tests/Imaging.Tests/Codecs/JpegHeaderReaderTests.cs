using System.Buffers;
using Imaging.Codecs;
using Imaging.Codecs.Jpeg;
using Imaging.Testing;

namespace Imaging.Tests.Codecs;

public class JpegHeaderReaderTests
{
    /// <summary>Start of image, an application segment of 3 bytes, and a frame of 6000 × 4000 pixels, 4:2:0, in the given process.</summary>
    private static byte[] File(byte startOfFrame, byte componentsInScan) =>
    [
        0xFF, 0xD8,
        0xFF, 0xE1, 0, 5, 1, 2, 3,
        0xFF, 0xFF, startOfFrame, 0, 17, 8, 0x0F, 0xA0, 0x17, 0x70, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1,
        0xFF, 0xDA, 0, (byte)(6 + (2 * componentsInScan)), componentsInScan, .. new byte[(2 * componentsInScan) + 3],
    ];

    [Theory]
    [InlineData(0xC0, 3, 0)]
    [InlineData(0xC1, 3, 0)]
    [InlineData(0xC2, 3, 72_000_000)] // 1.5 coefficients of 2 bytes for each pixel
    [InlineData(0xC0, 1, 72_000_000)] // the other components come in later scans
    [InlineData(0xCA, 3, 72_000_000)]
    public void Dimensions_and_coefficients_are_known_from_the_header(byte startOfFrame, byte componentsInScan, long coefficientBytes)
    {
        Assert.True(JpegHeaderReader.TryRead(new ReadOnlySequence<byte>(File(startOfFrame, componentsInScan)), out JpegHeader header));
        Assert.Equal(new JpegHeader(6000, 4000, coefficientBytes), header);
    }

    [Fact]
    public void A_header_that_has_not_come_whole_needs_more()
    {
        byte[] file = File(0xC2, 3);
        for (int length = 0; length < file.Length; length++)
        {
            Assert.False(JpegHeaderReader.TryRead(new ReadOnlySequence<byte>(file, 0, length), out _), $"{length} of {file.Length} bytes");
        }
    }

    [Fact]
    public void A_header_may_come_in_any_pieces()
    {
        byte[] file = File(0xC2, 3);
        for (int cut = 1; cut < file.Length; cut++)
        {
            var first = new Piece(file.AsMemory(0, cut), before: null);
            var second = new Piece(file.AsMemory(cut), first);
            var pieces = new ReadOnlySequence<byte>(first, 0, second, second.Memory.Length);
            Assert.True(JpegHeaderReader.TryRead(pieces, out JpegHeader header));
            Assert.Equal(new JpegHeader(6000, 4000, 72_000_000), header);
        }
    }

    [Fact]
    public void Whatever_a_byte_is_changed_to_the_reader_answers_or_refuses()
    {
        byte[] file = File(0xC2, 3);
        for (int i = 0; i < file.Length; i++)
        {
            for (int value = 0; value < 256; value++)
            {
                byte[] changed = [.. file];
                changed[i] = (byte)value;
                try
                {
                    JpegHeaderReader.TryRead(new ReadOnlySequence<byte>(changed), out _);
                }
                catch (InvalidDataException)
                {
                    // Refused.
                }
            }
        }
    }

    /// <summary>To a decoder the marker is all of it, and the comment behind it ends before the frame. To who reads a length it swallows both.</summary>
    [Theory]
    [InlineData(0x01)]
    [InlineData(0xD0)]
    [InlineData(0xD7)]
    [InlineData(0xD8)]
    public void A_marker_without_a_length_hides_no_frame(byte marker)
    {
        byte[] swallowed = new byte[0xFFFE - 2];
        byte[] frame = [0, 2, .. File(0xC2, 3)[2..]];
        frame.CopyTo(swallowed, 0);
        byte[] hidden = [0xFF, 0xD8, 0xFF, marker, 0xFF, 0xFE, .. swallowed, .. File(0xC0, 3)[2..]];
        var refused = Assert.Throws<InvalidDataException>(() => JpegHeaderReader.TryRead(new ReadOnlySequence<byte>(hidden), out _));
        Assert.Equal("The header of the JPEG file is broken.", refused.Message);
    }

    [Fact]
    public void What_the_encoder_writes_is_read()
    {
        if (ImageCodecs.Jpeg.IsAvailable)
        {
            Assert.True(JpegHeaderReader.TryRead(new ReadOnlySequence<byte>(TestJpeg.Make(157, 301)), out JpegHeader header));
            Assert.Equal(new JpegHeader(157, 301, 0), header);

            // 10 × 19 blocks that belong together: 4 of luma, 2 of chroma.
            Assert.True(JpegHeaderReader.TryRead(new ReadOnlySequence<byte>(TestJpeg.Make(157, 301, progressive: true)), out header));
            Assert.Equal(new JpegHeader(157, 301, 10 * 19 * 6 * 128), header);
        }
    }

    [Theory]
    [InlineData("GIF89a")]
    [InlineData("\u00FF\u00D9")]
    public void Other_files_are_refused(string text) =>
        Assert.Throws<InvalidDataException>(() =>
            JpegHeaderReader.TryRead(new ReadOnlySequence<byte>([.. text.Select(character => (byte)character)]), out _));

    private sealed class Piece : ReadOnlySequenceSegment<byte>
    {
        public Piece(ReadOnlyMemory<byte> memory, Piece? before)
        {
            Memory = memory;
            if (before is not null)
            {
                before.Next = this;
                RunningIndex = before.Memory.Length;
            }
        }
    }
}
