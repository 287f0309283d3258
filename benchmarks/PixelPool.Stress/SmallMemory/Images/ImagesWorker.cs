using System.Diagnostics;
using System.Runtime.CompilerServices;
using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory.Images;

/// <summary>One thread of the program.</summary>
internal sealed class ImagesWorker<TRenter, TImage>(TRenter renter)
    where TRenter : struct, IRenter<TImage>
    where TImage : struct
{
    private readonly TImage[] _held = new TImage[ImagesPlan.Held];

    /// <summary>When the last round was done.</summary>
    public long EndTimestamp { get; private set; }

    /// <param name="images">How many it holds.</param>
    public void Round(int images)
    {
        for (int i = 0; i < images; i++)
        {
            RentAndFill(i);
        }

        for (int i = 0; i < images; i++)
        {
            RentConvertAndReturn(i);
        }

        for (int i = 0; i < images; i++)
        {
            Return(i);
        }

        EndTimestamp = Stopwatch.GetTimestamp();
    }

    // Methods of their own: what is called often is compiled as it would be in an application.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RentAndFill(int i)
    {
        TImage image = renter.Rent(ImagesPlan.Side, ImagesPlan.Side);
        renter.Fill(image, 0xFF00FF00 + (uint)i);
        _held[i] = image;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RentConvertAndReturn(int i)
    {
        TImage converted = renter.Rent(ImagesPlan.Side, ImagesPlan.Side);
        renter.Convert(_held[i], converted);
        renter.Return(converted);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Return(int i)
    {
        renter.Return(_held[i]);
        _held[i] = default;
    }
}
