using System.Buffers;
using System.IO.Compression;
using System.Runtime.InteropServices;
using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs.Png;

/// <summary>Inflates and unfilters one row at a time; two rows of scratch are all the memory it holds.</summary>
internal sealed class PngRowReader : IDisposable
{
    private readonly PngHeader _header;
    private readonly PngPalette? _palette;
    private readonly IMemoryOwner<byte> _scratch;
    private readonly ZLibStream _inflated;
    private int _row;

    public PngRowReader(PngHeader header, PngPalette? palette, Stream imageData, ImageMemory memory)
    {
        _header = header;
        _palette = palette;
        _scratch = memory.RentBytes(2 * (header.RowBytes + 1));
        _scratch.Memory.Span.Clear(); // the row above the first one counts as zeros
        _inflated = new ZLibStream(imageData, CompressionMode.Decompress, leaveOpen: true);
    }

    public void ReadRow(Span<Rgb24> pixels)
    {
        Span<byte> row = ScratchRow(_row & 1);
        Inflate(row);
        Span<byte> samples = row[1..];
        PngRowFilter.Undo((PngFilterType)row[0], samples, ScratchRow(~_row & 1)[1..], _header.BytesPerPixel);
        Convert(samples, pixels);
        _row++;
    }

    /// <summary>Reads over the end of the compressed data, where its checksum is verified.</summary>
    public void ExpectEnd()
    {
        Span<byte> none = stackalloc byte[1];
        if (Inflate(none, mayEnd: true) > 0)
        {
            throw new InvalidDataException("There are more pixels than the header says.");
        }
    }

    public void Dispose()
    {
        _inflated.Dispose();
        _scratch.Dispose();
    }

    private int Inflate(Span<byte> bytes, bool mayEnd = false)
    {
        try
        {
            return _inflated.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: !mayEnd);
        }
        catch (EndOfStreamException)
        {
            throw new InvalidDataException("There are fewer pixels than the header says.");
        }
        catch (InvalidDataException damage) when (damage.Source == typeof(ZLibStream).Assembly.GetName().Name)
        {
            // Its own words are about zip archives; those of the chunk reader below it go through as they are.
            throw new InvalidDataException("The compressed pixels are damaged.", damage);
        }
    }

    private void Convert(ReadOnlySpan<byte> samples, Span<Rgb24> pixels)
    {
        switch (_header.ColorType)
        {
            case PngColorType.Rgb:
                MemoryMarshal.Cast<byte, Rgb24>(samples).CopyTo(pixels);
                break;

            case PngColorType.Rgba:
                for (int x = 0; x < pixels.Length; x++)
                {
                    ReadOnlySpan<byte> pixel = samples.Slice(4 * x, 4);
                    pixels[x] = AlphaOverWhite.Lay(pixel[0], pixel[1], pixel[2], pixel[3]);
                }

                break;

            case PngColorType.Grey:
                for (int x = 0; x < pixels.Length; x++)
                {
                    pixels[x] = new Rgb24(samples[x], samples[x], samples[x]);
                }

                break;

            case PngColorType.GreyAlpha:
                for (int x = 0; x < pixels.Length; x++)
                {
                    byte grey = samples[2 * x];
                    pixels[x] = AlphaOverWhite.Lay(grey, grey, grey, samples[(2 * x) + 1]);
                }

                break;

            default:
                PngPalette colors = _palette ?? throw new InvalidDataException("The palette is missing.");
                for (int x = 0; x < pixels.Length; x++)
                {
                    pixels[x] = colors[samples[x]];
                }

                break;
        }
    }

    private Span<byte> ScratchRow(int index) =>
        _scratch.Memory.Span.Slice(index * (_header.RowBytes + 1), _header.RowBytes + 1);
}
