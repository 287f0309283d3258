using System.Runtime.CompilerServices;
using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory.Mixed;

/// <summary>One thread that holds many pieces of random sizes, and replaces one of them after the other.</summary>
internal sealed class MixedWorker<TRenter, TImage>
    where TRenter : struct, IRenter<TImage>
    where TImage : struct
{
    private const int Held = MixedRun.HeldPieces;

    private const int Batch = 64;

    // So many that they do not fit a pattern, and so few that they stay in the cache.
    private const int Choices = 1 << 13;

    private readonly TRenter _renter;
    private readonly TImage[] _held = new TImage[Held];
    private readonly (int Place, int Pixels)[] _choices;
    private int _next;
    private long _steps;

    public MixedWorker(TRenter renter, Random random)
    {
        _renter = renter;
        _choices = [.. Enumerable.Range(0, Choices).Select(_ => (random.Next(Held), RandomSizes.NextPixels(random)))];
        for (int i = 0; i < Held; i++)
        {
            _held[i] = RentAndTouch(RandomSizes.NextPixels(random));
        }
    }

    /// <summary>Pieces replaced so far; any thread may ask.</summary>
    public long Steps => Volatile.Read(ref _steps);

    public void RunForEver()
    {
        while (true)
        {
            ReplaceMany();
            Volatile.Write(ref _steps, _steps + Batch);
        }
    }

    /// <summary>A method of its own: one that is called often is compiled as it would be in an application.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReplaceMany()
    {
        for (int i = 0; i < Batch; i++)
        {
            (int place, int pixels) = _choices[_next++ & (Choices - 1)];
            _renter.Return(_held[place]);
            _held[place] = RentAndTouch(pixels);
        }
    }

    private TImage RentAndTouch(int pixels)
    {
        TImage image = _renter.Rent(pixels, 1);
        _renter.Touch(image);
        return image;
    }
}
