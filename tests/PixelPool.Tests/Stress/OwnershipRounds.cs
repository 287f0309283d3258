using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Lifetime;

namespace PixelPool.Tests.Stress;

/// <summary>Threads that meet before and after every round, in which all of them use, and end, one image.</summary>
internal static class OwnershipRounds
{
    public const int Threads = 4;

    /// <summary>Runs rounds until the time is over; after each one nothing may be rented.</summary>
    /// <param name="kind">Where the image's memory comes from.</param>
    /// <param name="seed">Of the threads' choices.</param>
    /// <param name="begin">Makes the image of a round. Called on one thread while the others wait.</param>
    /// <param name="act">What each thread does with it.</param>
    /// <param name="end">Checks the round. Called on one thread while the others wait.</param>
    public static void Run(RentKind kind, int seed, Action<Rental> begin, Action<Rental, Random> act, Action<Rental> end)
    {
        using var rental = new Rental(kind);
        long deadline = TimeProvider.System.GetTimestamp() + (TimeProvider.System.TimestampFrequency / 4);
        bool over = false;
        using var beginning = new Barrier(Threads, _ => begin(rental));
        using var ending = new Barrier(Threads, _ =>
        {
            end(rental);
            Assert.Equal(0, rental.Statistics.RentedBytes);
            over = TimeProvider.System.GetTimestamp() >= deadline;
        });
        Simultaneously.Run(Threads, thread =>
        {
            var random = new Random(seed + thread);
            while (!over)
            {
                beginning.SignalAndWait();
                act(rental, random);
                ending.SignalAndWait();
            }
        });
        rental.AssertNothingRented();
        Assert.Equal(0, rental.Statistics.LeakedCount);
    }
}
