using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>Returning more than once, and from several threads.</summary>
public class DisposalTests
{
    private const int Threads = 6;

    public static TheoryData<RentKind> Kinds { get; } = [.. Rental.Kinds];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Second_dispose_does_nothing(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> buffer = rental.Rent();
        Assert.False(buffer.IsDisposed);
        buffer.Dispose();
        Assert.True(buffer.IsDisposed);
        buffer.Dispose();
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Second_dispose_does_not_end_the_next_rent(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> old = rental.Rent();
        PixelBuffer<uint> view = old.View(0, 0, 1, 1);
        view.Dispose();
        old.Dispose();
        using (PixelBuffer<uint> next = rental.Rent())
        {
            next[0, 0] = 5;
            old.Dispose();
            view.Dispose();
            Assert.Throws<ObjectDisposedException>(() => old[0, 0] = 1);
            Assert.Throws<ObjectDisposedException>(() => view.Fill(1));
            Assert.NotEqual(0, rental.Statistics.RentedBytes);
            Assert.Equal(5u, next[0, 0]);
        }

        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Images_outlive_their_allocator(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> image = rental.Rent();
        PixelBuffer<uint> view = image.View(1, 1, 2, 2);
        PixelBuffer<uint> other = rental.Rent();
        rental.Rent().Dispose();
        image.ProcessPixelRows(rental, static (rows, rental) =>
        {
            rental.Allocator.Dispose();
            rows.GetRowSpan(2)[2] = 6;
        });

        // Of the block in which both are the rest is idle.
        Assert.Equal(kind == RentKind.Slab ? Rental.BlockBytes - (2 * rental.HeldBytes) : 0, rental.Statistics.IdleBytes);
        Assert.Throws<ObjectDisposedException>(rental.Rent);

        image.Dispose();
        Assert.Equal(6u, view[1, 1]);
        view.Dispose();
        other.Fill(1);
        other.Dispose();
        Assert.Equal(0, rental.Statistics.RentedBytes);
        Assert.Equal(0, rental.Statistics.IdleBytes);
        Assert.Equal(0, rental.Arrays.RentedCount);
        StatisticsAssert.Balanced(rental.Statistics);
        rental.Source.AssertAllFreed();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Simultaneous_disposes_return_once(RentKind kind)
    {
        using var rental = new Rental(kind);
        for (int round = 0; round < 50; round++)
        {
            PixelBuffer<uint> buffer = rental.Rent();
            Simultaneously.Run(Threads, _ => buffer.Dispose());
            Assert.Equal(0, rental.Statistics.RentedBytes);
        }

        rental.AssertNothingRented();
        Assert.Equal(0, rental.Statistics.LeakedCount);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Image_views_and_pins_disposed_at_once_return_once(RentKind kind)
    {
        using var rental = new Rental(kind);
        for (int round = 0; round < 50; round++)
        {
            PixelBuffer<uint> buffer = rental.Rent();
            PixelBuffer<uint> view = buffer.View(1, 1, 2, 2);
            PixelBuffer<uint> other = view.View(0, 0, 1, 1);
            PinnedPixels pin = other.Pin();
            IDisposable[] owners = [buffer, view, other, pin];
            Simultaneously.Run(owners.Length, thread =>
            {
                owners[thread].Dispose();
                owners[(thread + 1) % owners.Length].Dispose();
            });
            Assert.Equal(0, rental.Statistics.RentedBytes);
        }

        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Access_beside_dispose_is_whole_or_refused(RentKind kind)
    {
        using var rental = new Rental(kind);
        for (int round = 0; round < 100; round++)
        {
            PixelBuffer<uint> buffer = rental.Rent();
            buffer.Fill((uint)round);
            Simultaneously.Run(3, thread =>
            {
                if (thread == 0)
                {
                    buffer.Dispose();
                    using PixelBuffer<uint> next = rental.Rent();
                    next.Fill(uint.MaxValue);
                    return;
                }

                try
                {
                    buffer.ProcessPixelRows((uint)round, static (rows, cookie) =>
                    {
                        foreach (Span<uint> row in rows)
                        {
                            Assert.Equal(-1, row.IndexOfAnyExcept(cookie));
                        }
                    });
                }
                catch (ObjectDisposedException)
                {
                    Assert.True(buffer.IsDisposed);
                }
            });
        }

        rental.AssertNothingRented();
    }
}
