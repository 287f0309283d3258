using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory.Swings;

/// <summary>Pieces of random sizes, which live as long as chance lets them.</summary>
internal sealed class LivePieces<TRenter, TImage>(TRenter renter, Random random)
    where TRenter : struct, IRenter<TImage>
    where TImage : struct
{
    private readonly List<(TImage Image, int Bytes)> _pieces = [];

    public long Bytes { get; private set; }

    /// <summary>Rents and returns so far.</summary>
    public long Steps { get; private set; }

    /// <summary>Rents a piece and writes all of it, or returns one of those that live.</summary>
    /// <param name="rentShare">How likely it is that it rents.</param>
    public void Step(double rentShare)
    {
        if (_pieces.Count == 0 || random.NextDouble() < rentShare)
        {
            Rent();
        }
        else
        {
            Return(random.Next(_pieces.Count));
        }

        Steps++;
    }

    private void Rent()
    {
        int pixels = RandomSizes.NextPixels(random);
        TImage image = renter.Rent(pixels, 1);
        renter.Fill(image, 0xFF00FF00);
        _pieces.Add((image, pixels * sizeof(uint)));
        Bytes += pixels * sizeof(uint);
    }

    private void Return(int index)
    {
        (TImage image, int bytes) = _pieces[index];
        _pieces[index] = _pieces[^1];
        _pieces.RemoveAt(_pieces.Count - 1);
        renter.Return(image);
        Bytes -= bytes;
    }
}
