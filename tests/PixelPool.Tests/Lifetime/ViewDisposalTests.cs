using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Leases;

namespace PixelPool.Tests.Lifetime;

/// <summary>Image and view each end once, in every order, and each only for itself.</summary>
public class ViewDisposalTests
{
    // Who is disposed, in turns: i is the image, v its view, w a view of the view.
    private static readonly string[] s_orders =
    [
        "ivw", "iwv", "viw", "vwi", "wiv", "wvi",
        "iivvww", "iviwvw", "ivivww", "vvviww", "vviiww", "wwwvvi", "iwiwvv", "vivwiw",
    ];

    public static TheoryData<RentKind, string> KindsAndOrders
    {
        get
        {
            var data = new TheoryData<RentKind, string>();
            foreach (RentKind kind in Rental.Kinds)
            {
                foreach (string order in s_orders)
                {
                    data.Add(kind, order);
                }
            }

            return data;
        }
    }

    public static TheoryData<RentKind> Kinds => DisposalTests.Kinds;

    [Theory]
    [MemberData(nameof(KindsAndOrders))]
    public void Each_ends_for_itself(RentKind kind, string order)
    {
        using var rental = new Rental(kind);

        // Twice, so that the second time a used guard serves.
        for (int round = 0; round < 2; round++)
        {
            var buffers = new Dictionary<char, PixelBuffer<uint>> { ['i'] = rental.Rent() };
            buffers['v'] = buffers['i'].View(1, 1, 3, 3);
            buffers['w'] = buffers['v'].View(1, 1, 2, 2);
            buffers['i'].Fill(7);
            var living = new HashSet<char>(buffers.Keys);
            foreach (char which in order)
            {
                Assert.Equal(living.Count == 0 ? 0 : rental.HeldBytes, rental.Statistics.RentedBytes);
                buffers[which].Dispose();
                living.Remove(which);
                foreach ((char name, PixelBuffer<uint> buffer) in buffers)
                {
                    AssertState(buffer, living.Contains(name));
                }
            }

            Assert.Empty(living);
            rental.AssertNothingRented();
        }

        Assert.Equal(0, rental.Statistics.LeakedCount);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Image_and_view_may_end_inside_their_delegate(RentKind kind)
    {
        using var rental = new Rental(kind);
        PixelBuffer<uint> image = rental.Rent();
        PixelBuffer<uint> view = image.View(0, 0, 4, 4);
        image.Fill(7);
        view.ProcessPixelRows(image, (rows, all) =>
        {
            image.Dispose();
            image.Dispose();
            AssertState(image, false);
            AssertState(view, true);
            view.Dispose();
            view.Dispose();
            AssertState(view, false);
            Assert.Equal(rental.HeldBytes, rental.Statistics.RentedBytes);
            using PixelBuffer<uint> other = rental.Rent();
            other.Fill(1);
            Assert.Equal(-1, rows.GetRowSpan(3).IndexOfAnyExcept(7u));
            Assert.Equal(-1, all.GetRowSpan(all.Height - 1).IndexOfAnyExcept(7u));
        });
        rental.AssertNothingRented();
    }

    [Fact]
    public void View_that_two_threads_end_at_the_same_moment_ends_once()
    {
        const int Rounds = 50_000;
        using var rental = new Rental(RentKind.OneBlock);
        using PixelBuffer<uint> image = rental.Rent();
        PixelBuffer<uint> view = image;
        var meeting = new SpinMeeting();
        Simultaneously.Run(2, thread =>
        {
            bool again = true;
            for (int i = 0; i < Rounds && again; i++)
            {
                if (thread == 0)
                {
                    // Ended twice, it would end the image.
                    view = image.View(0, 0, 1, 1);
                }

                meeting.Wait(thread);
                view.Dispose();
                again = meeting.WaitAndGoOn(thread);
            }
        });
        Assert.False(image.IsDisposed);
        image.Dispose();
        rental.AssertNothingRented();
    }

    private static void AssertState(PixelBuffer<uint> buffer, bool lives)
    {
        Assert.Equal(!lives, buffer.IsDisposed);
        if (lives)
        {
            Assert.Equal(7u, buffer[buffer.Width - 1, buffer.Height - 1]);
            Assert.Equal(7u, buffer.DangerousGetRowSpan(0)[0]);
            return;
        }

        Assert.Throws<ObjectDisposedException>(() => buffer[0, 0]);
        Assert.Throws<ObjectDisposedException>(() => buffer.View(0, 0, 1, 1));
        Assert.Throws<ObjectDisposedException>(() => buffer.View(0, 0, 1, 1).Pin());
        Assert.Throws<ObjectDisposedException>(() => buffer.DangerousGetRowSpan(0).Length);
    }
}
