using PixelPool.Stress.Renting;

namespace PixelPool.Stress.ThreadScaling;

/// <summary>A thread that holds eight images of random sizes, and exchanges one of them for a new one each time.</summary>
internal struct HeldImages<TRenter, TImage>(TRenter renter) : IUntouchedRent
    where TRenter : struct, IRenter<TImage>
    where TImage : struct
{
    private const int Count = 8;
    private const int Width = 256;

    // 1 KiB to 16 MiB: as many of each power of two.
    private const int Heights = 15;

    private TImage?[]? _held;
    private Random? _random;

    public void RentAndReturn()
    {
        // Each copy has its own.
        _held ??= new TImage?[Count];
        _random ??= new Random(Environment.CurrentManagedThreadId);
        int random = _random.Next(Count * Heights);
        ref TImage? place = ref _held[random / Heights];
        Return(ref place);
        place = renter.Rent(Width, 1 << (random % Heights));
    }

    public readonly void End()
    {
        foreach (ref TImage? place in _held.AsSpan())
        {
            Return(ref place);
        }
    }

    private readonly void Return(ref TImage? place)
    {
        if (place is { } image)
        {
            renter.Return(image);
            place = null;
        }
    }
}
