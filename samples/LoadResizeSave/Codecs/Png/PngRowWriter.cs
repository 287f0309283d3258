using System.Buffers;
using System.Runtime.InteropServices;
using LoadResizeSave.Memory;

namespace LoadResizeSave.Codecs.Png;

/// <summary>s_filters rows and hands them to the compressor; each row gets the filter that leaves the smallest bytes.</summary>
internal sealed class PngRowWriter(int rowBytes, Stream deflated, ImageMemory memory) : IDisposable
{
    private const int BytesPerPixel = 3;

    private static readonly PngFilterType[] s_filters = [PngFilterType.Sub, PngFilterType.Up, PngFilterType.Paeth];

    private readonly IMemoryOwner<byte> _scratch = memory.RentBytes(2 * (rowBytes + 1));

    public void WriteRow(ReadOnlySpan<Rgb24> pixels, ReadOnlySpan<Rgb24> pixelsAbove)
    {
        ReadOnlySpan<byte> row = MemoryMarshal.AsBytes(pixels);
        ReadOnlySpan<byte> above = MemoryMarshal.AsBytes(pixelsAbove);
        Span<byte> best = _scratch.Memory.Span[..(rowBytes + 1)];
        Span<byte> candidate = _scratch.Memory.Span[(rowBytes + 1)..];
        long bestWeight = long.MaxValue;

        foreach (PngFilterType filter in s_filters)
        {
            candidate[0] = (byte)filter;
            PngRowFilter.Apply(filter, row, above, candidate[1..], BytesPerPixel);
            long weight = Weight(candidate[1..]);
            if (weight < bestWeight)
            {
                bestWeight = weight;
                Span<byte> loser = best;
                best = candidate;
                candidate = loser;
            }
        }

        deflated.Write(best);
    }

    public void Dispose() => _scratch.Dispose();

    /// <summary>The sum of the residuals as signed numbers: the usual guess at how they will compress.</summary>
    private static long Weight(ReadOnlySpan<byte> residual)
    {
        long sum = 0;
        foreach (byte value in residual)
        {
            sum += Math.Abs((int)(sbyte)value);
        }

        return sum;
    }
}
