using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>Memory that a delegate uses stays valid until the delegate ends, whoever disposes the image, and goes back right afterwards.</summary>
public class DisposalDuringAccessTests
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_inside_the_delegate(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> image = rental.Rent();
        image.ProcessPixelRows((rental, image), static (rows, state) =>
        {
            Fill(rows, 1);
            state.image.Dispose();
            AssertUnavailable(state.image);
            AssertStillMine(state.rental, rows);
        });
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_inside_each_kind_of_call(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> image = rental.Rent();
        image.ProcessPixelRowsInParallel(
            rows =>
            {
                Fill(rows, 1);
                image.Dispose();
                AssertStillMine(rental, rows);
            },
            maxDegreeOfParallelism: 2);
        rental.AssertNothingRented();

        image = rental.Rent();
        PixelBuffer<uint> view = image.View(1, 1, 1, 1);
        Assert.True(view.TryProcessSinglePixelSpan(pixels =>
        {
            pixels[0] = 3;
            image.Dispose();
            view.Dispose();
            using PixelBuffer<uint> other = rental.Rent();
            other.Fill(2);
            Assert.Equal(3u, pixels[0]);
        }));
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_of_either_image_inside_a_delegate_over_two(RentKind kind)
    {
        using var rental = new Rental(kind);
        for (int which = 0; which < 3; which++)
        {
            PixelBuffer<uint> a = rental.Rent();
            PixelBuffer<uint> b = rental.Rent();
            a.ProcessPixelRows(b, (first, second) =>
            {
                Fill(first, 1);
                Fill(second, 1);
                if (which != 0)
                {
                    a.Dispose();
                }

                if (which != 1)
                {
                    b.Dispose();
                }

                AssertStillMine(rental, first);
                AssertStillMine(rental, second);
            });
            a.Dispose();
            b.Dispose();
            rental.AssertNothingRented();
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_while_the_same_image_is_there_three_times(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> image = rental.Rent();
        image.ProcessPixelRows(image, image, (first, second, third) =>
        {
            Fill(first, 1);
            Assert.True(Unsafe.AreSame(ref first.GetRowSpan(0)[0], ref third.GetRowSpan(0)[0]));
            image.Dispose();
            AssertStillMine(rental, second);
            AssertStillMine(rental, third);
        });
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_inside_nested_delegates(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> image = rental.Rent();
        image.ProcessPixelRows(outer =>
        {
            Fill(outer, 1);
            image.ProcessPixelRows(inner =>
            {
                image.Dispose();
                AssertStillMine(rental, inner);
            });
            AssertUnavailable(image);
            AssertStillMine(rental, outer);
        });
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Dispose_from_another_thread_during_the_delegate(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> image = rental.Rent();
        using var inside = new ManualResetEventSlim();
        using var disposed = new ManualResetEventSlim();
        var disposer = new Thread(() =>
        {
            if (inside.Wait(s_timeLimit))
            {
                image.Dispose();
                disposed.Set();
            }
        });
        disposer.Start();
        image.ProcessPixelRows(rows =>
        {
            Fill(rows, 1);
            inside.Set();
            Assert.True(disposed.Wait(s_timeLimit));
            AssertUnavailable(image);
            AssertStillMine(rental, rows);
        });
        disposer.Join();
        rental.AssertNothingRented();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Exception_leaves_nothing_behind(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> image = rental.Rent();
        PixelBuffer<uint> other = rental.Rent();
        PixelBuffer<uint> gone = rental.Rent();
        PixelBuffer<uint> corner = image.View(0, 0, 1, 1);
        gone.Dispose();
        Assert.Throws<InvalidTimeZoneException>(() => image.ProcessPixelRows(static _ => throw new InvalidTimeZoneException()));
        Assert.Throws<InvalidTimeZoneException>(() => image.ProcessPixelRows(1, static (_, _) => throw new InvalidTimeZoneException()));
        Assert.Throws<InvalidTimeZoneException>(() => image.ProcessPixelRows(other, static (_, _) => throw new InvalidTimeZoneException()));
        Assert.Throws<InvalidTimeZoneException>(() => image.ProcessPixelRows(other, image, static (_, _, _) => throw new InvalidTimeZoneException()));
        Assert.Throws<AggregateException>(() => image.ProcessPixelRowsInParallel(static _ => throw new InvalidTimeZoneException()));
        Assert.Throws<InvalidTimeZoneException>(
            () => corner.TryProcessSinglePixelSpan(static _ => throw new InvalidTimeZoneException()));

        // The second or third image is gone: the references on those before it are given up again.
        Assert.Throws<ObjectDisposedException>(() => image.ProcessPixelRows(gone, static (_, _) => { }));
        Assert.Throws<ObjectDisposedException>(() => image.ProcessPixelRows(other, gone, static (_, _, _) => { }));
        Assert.Throws<ObjectDisposedException>(() => gone.ProcessPixelRows(other, image, static (_, _, _) => { }));
        Assert.Throws<ObjectDisposedException>(() => image.CopyTo(gone));

        image.Fill(4);
        Assert.Equal(4u, image[1, 1]);
        other.Dispose();
        corner.Dispose();
        image.ProcessPixelRows(rows =>
        {
            Assert.Throws<InvalidTimeZoneException>(() => image.ProcessPixelRows(_ =>
            {
                image.Dispose();
                throw new InvalidTimeZoneException();
            }));
            Assert.Equal(4u, rows.GetRowSpan(0)[0]);
        });
        rental.AssertNothingRented();
    }

    private static void Fill(PixelAccessor<uint> rows, uint value)
    {
        foreach (Span<uint> row in rows)
        {
            row.Fill(value);
        }
    }

    private static void AssertUnavailable(PixelBuffer<uint> image)
    {
        Assert.True(image.IsDisposed);
        Assert.Throws<ObjectDisposedException>(() => image[0, 0]);
        Assert.Throws<ObjectDisposedException>(() => image.ProcessPixelRows(static _ => { }));
        Assert.Throws<ObjectDisposedException>(() => image.View(0, 0, 1, 1));
        Assert.Throws<ObjectDisposedException>(() => image.Pin());
        Assert.Throws<ObjectDisposedException>(() => image.AsReadOnlySequence());
        Assert.Throws<ObjectDisposedException>(() => image.DangerousGetRowSpan(0).Length);
    }

    // Rents more, trims and writes: had the memory gone back, one of them would have it now.
    private static unsafe void AssertStillMine(Rental rental, PixelAccessor<uint> rows)
    {
        Assert.NotEqual(0, rental.Statistics.RentedBytes);
        rental.Allocator.Trim();
        using (PixelBuffer<uint> other = rental.Rent())
        using (PixelBuffer<uint> another = rental.Rent())
        {
            other.Fill(2);
            another.Fill(3);
            fixed (uint* mine = rows.GetRowSpan(0))
            {
                Assert.NotEqual((nint)mine, Rental.AddressOf(other));
                Assert.NotEqual((nint)mine, Rental.AddressOf(another));
            }
        }

        foreach (Span<uint> row in rows)
        {
            Assert.Equal(-1, row.IndexOfAnyExcept(1u));
        }
    }
}
