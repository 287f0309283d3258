namespace LoadResizeSave.Codecs.Png;

/// <summary>Predicts bytes from their neighbours, so that what is left compresses; and undoes it.</summary>
/// <remarks><c>distance</c> is the bytes of a pixel: the neighbour to the left is the same sample of the pixel before.</remarks>
internal static class PngRowFilter
{
    public static void Apply(
        PngFilterType filter, ReadOnlySpan<byte> row, ReadOnlySpan<byte> above, Span<byte> residual, int distance)
    {
        for (int i = 0; i < row.Length; i++)
        {
            int left = i < distance ? 0 : row[i - distance];
            int aboveLeft = i < distance ? 0 : above[i - distance];
            residual[i] = (byte)(row[i] - Predict(filter, left, above[i], aboveLeft));
        }
    }

    public static void Undo(PngFilterType filter, Span<byte> row, ReadOnlySpan<byte> above, int distance)
    {
        above = above[..row.Length];
        switch (filter)
        {
            case PngFilterType.None:
                break;

            case PngFilterType.Up:
                for (int i = 0; i < row.Length; i++)
                {
                    row[i] += above[i];
                }

                break;

            case PngFilterType.Sub:
                for (int i = distance; i < row.Length; i++)
                {
                    row[i] += row[i - distance];
                }

                break;

            case PngFilterType.Average or PngFilterType.Paeth:
                for (int i = 0; i < distance; i++)
                {
                    row[i] += (byte)Predict(filter, 0, above[i], 0);
                }

                for (int i = distance; i < row.Length; i++)
                {
                    row[i] += (byte)Predict(filter, row[i - distance], above[i], above[i - distance]);
                }

                break;

            default:
                throw new InvalidDataException("A row has a filter that the format does not know.");
        }
    }

    private static int Predict(PngFilterType filter, int left, int above, int aboveLeft) => filter switch
    {
        PngFilterType.Sub => left,
        PngFilterType.Up => above,
        PngFilterType.Average => (left + above) / 2,
        PngFilterType.Paeth => Paeth(left, above, aboveLeft),
        _ => 0,
    };

    /// <summary>Whichever neighbour is nearest to left + above − above left; on a tie in this order.</summary>
    private static int Paeth(int left, int above, int aboveLeft)
    {
        int toLeft = Math.Abs(above - aboveLeft);
        int toAbove = Math.Abs(left - aboveLeft);
        int toAboveLeft = Math.Abs(left + above - (2 * aboveLeft));
        if (toLeft <= toAbove && toLeft <= toAboveLeft)
        {
            return left;
        }

        return toAbove <= toAboveLeft ? above : aboveLeft;
    }
}
