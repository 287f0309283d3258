using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Stress;

/// <summary>
/// One image and one view of it on several threads: they use both, take views of their own, and all dispose both, more than once, inside of delegates
/// and outside. Each ends once, and the memory goes back when the last one lets go of it.
/// </summary>
[Trait("Category", "Long")]
public class BufferOwnershipTests
{
    private const uint Cookie = 0xC0FF_EE00;

    private PixelBuffer<uint>? _image;
    private PixelBuffer<uint>? _view;

    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Each_ends_once(RentKind kind)
    {
        int seed = Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        OwnershipRounds.Run(kind, seed, Begin, Act, _ => Assert.True(_image!.IsDisposed && _view!.IsDisposed));
    }

    private void Begin(Rental rental)
    {
        _image = rental.Rent();
        _image.Fill(Cookie);
        _view = _image.View(1, 1, 3, 3);
    }

    private void Act(Rental rental, Random random)
    {
        PixelBuffer<uint>[] both = random.Next(2) == 0 ? [_image!, _view!] : [_view!, _image!];
        for (int steps = random.Next(5); steps > 0; steps--)
        {
            Step(both[random.Next(2)], rental, random.Next(5));
        }

        foreach (PixelBuffer<uint> buffer in both)
        {
            buffer.Dispose();
            Assert.True(buffer.IsDisposed);
            Assert.Throws<ObjectDisposedException>(() => buffer.ProcessPixelRows(static _ => { }));
            buffer.Dispose();
        }
    }

    private static void Step(PixelBuffer<uint> buffer, Rental rental, int choice)
    {
        bool wasDisposed = buffer.IsDisposed;
        try
        {
            switch (choice)
            {
                case 0:
                    buffer.ProcessPixelRows(rows =>
                    {
                        AssertMine(rows);
                        buffer.Dispose();
                        buffer.Dispose();
                        Overwrite(rental);
                        AssertMine(rows);
                    });
                    break;

                case 1:
                    PixelBuffer<uint> view = buffer.View(1, 1, 2, 2);
                    buffer.Dispose();
                    Overwrite(rental);
                    view.ProcessPixelRows(AssertMine);
                    Assert.False(view.IsDisposed);
                    view.Dispose();
                    Assert.True(view.IsDisposed);
                    view.Dispose();
                    break;

                case 2:
                    using (PixelBuffer<uint> corner = buffer.View(0, 0, 1, 1))
                    using (PinnedPixels pin = corner.Pin())
                    {
                        corner.Dispose();
                        Overwrite(rental);
                        AssertMine(pin);
                    }

                    break;

                case 3:
                    buffer.ProcessPixelRows(buffer, static (rows, same) => AssertMine(same));
                    break;

                default:
                    buffer.Dispose();
                    return;
            }

            Assert.False(wasDisposed, "a disposed image was used");
        }
        catch (ObjectDisposedException)
        {
            Assert.True(buffer.IsDisposed);
        }
    }

    // Had the memory gone back, the cookie would be gone now.
    private static void Overwrite(Rental rental)
    {
        using PixelBuffer<uint> other = rental.Rent();
        other.ProcessPixelRows(static rows =>
        {
            for (int y = 0; y < 4; y++)
            {
                rows.GetRowSpan(y).Clear();
            }

            rows.GetRowSpan(rows.Height - 1).Clear();
        });
    }

    private static void AssertMine(PixelAccessor<uint> rows)
    {
        Assert.Equal(-1, rows.GetRowSpan(0).IndexOfAnyExcept(Cookie));
        Assert.Equal(-1, rows.GetRowSpan(rows.Height - 1).IndexOfAnyExcept(Cookie));
    }

    private static unsafe void AssertMine(PinnedPixels pin) => Assert.Equal(Cookie, *(uint*)pin.Pointer);
}
