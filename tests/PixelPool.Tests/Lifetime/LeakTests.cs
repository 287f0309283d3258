using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>Forgotten memory comes back, whatever was forgotten. In child processes, so that only the test decides when garbage is collected.</summary>
[Trait("Category", "Long")]
public class LeakTests
{
    private const int Rounds = 3;
    private const int PerRound = 2;

#if LIBRARY_NET10
    public static TheoryData<string> Runtimes { get; } = ["", "DOTNET_TieredCompilation=0", "DOTNET_gcServer=1"];
#else
    // What is compiled differs. How it is collected does not.
    public static TheoryData<string> Runtimes { get; } = ["", "DOTNET_TieredCompilation=0"];
#endif

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Leaked_buffers_come_back(string runtime) => Run(LeakBuffers, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Leaked_views_come_back(string runtime) => Run(LeakViews, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Leaked_pins_come_back(string runtime) => Run(LeakPins, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Leaked_memory_owners_come_back(string runtime) => Run(LeakOwners, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Disposed_buffers_are_no_leaks(string runtime) => Run(DisposeEverything, runtime);

    private static void Run(Action body, string runtime) =>
        ChildProcess.Run(body, runtime.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static void LeakBuffers() => CheckLeaks(static rental =>
    {
        PixelBuffer<uint> buffer = rental.Rent();
        buffer[0, 0] = 1;
    });

    private static void LeakViews() => CheckLeaks(static rental =>
    {
        using PixelBuffer<uint> buffer = rental.Rent();
        PixelBuffer<uint> view = buffer.View(1, 1, 2, 2);
        view[1, 1] = 1;
    });

    private static void LeakPins()
    {
        CheckLeaks(static rental =>
        {
            using PixelBuffer<uint> buffer = rental.Rent();
            using PixelBuffer<uint> part = buffer.View(0, buffer.Height - 1, 1, 1);
            Assert.Equal(1, part.Pin().Height);
        });
        CheckLeaks(static rental => Assert.Equal(1, rental.Rent().View(0, 0, 1, 1).Pin().Width));
        using var rental = new Rental(RentKind.Array, keepsIdleArrays: false);
        WeakReference array = LeakPinOfArray(rental);
        Collector.CollectAll();
        Assert.False(array.IsAlive, "the array of a leaked pin is still held: its handle was not freed");
    }

    private static void LeakOwners()
    {
        CheckLeaks(static rental => Allocate(rental).Memory.Span[0] = 1, OwnerBytes);
        CheckLeaks(LeakHandle, OwnerBytes);
        CheckLeaks(static rental => rental.Allocator.AsMemoryPool().Rent((int)OwnerBytes(rental)).Memory.Span[0] = 1, OwnerBytes);

        static void LeakHandle(Rental rental)
        {
            // The handle is a struct: forgetting it is forgetting what it points to.
            using IMemoryOwner<byte> owner = Allocate(rental);
            _ = owner.Memory.Pin();
        }
    }

    private static IMemoryOwner<byte> Allocate(Rental rental) => rental.Allocator.Allocate<byte>((int)OwnerBytes(rental));

    private static long OwnerBytes(Rental rental) => rental.Kind switch
    {
        RentKind.Array => 1000,
        RentKind.Slab => rental.HeldBytes,
        RentKind.OneBlock => Rental.BlockBytes,
        _ => Rental.BlockBytes * 3,
    };

    private static void CheckLeaks(Action<Rental> leak, Func<Rental, long>? heldBytes = null) => Rental.ForEachKind(kind =>
    {
        using var rental = new Rental(kind);
        for (int round = 1; round <= Rounds; round++)
        {
            Leak(rental, leak);
            Collector.CollectAll();
            PixelPoolStatistics after = rental.Statistics;
            Assert.Equal(0, after.RentedBytes);
            Assert.Equal(PerRound * round, after.LeakedCount);
            Assert.Equal(PerRound * round * (heldBytes?.Invoke(rental) ?? rental.HeldBytes), after.LeakedBytes);
            StatisticsAssert.Balanced(rental.Statistics);
            Assert.Equal(after.IdleBytes, rental.Source.LiveBytes);
            Assert.Equal(0, rental.Arrays.RentedCount);
        }

        CheckReuse(rental);
    });

    // What came back through the finalizers serves the next rents, which are like any other.
    private static void CheckReuse(Rental rental)
    {
        PixelPoolStatistics before = rental.Statistics;
        using (PixelBuffer<uint> first = rental.Rent())
        using (PixelBuffer<uint> second = rental.Rent())
        {
            first.Fill(1);
            second.Fill(2);
            Assert.Equal(1u, first[0, 0]);
            Assert.Equal(1u, first[first.Width - 1, first.Height - 1]);
        }

        if (before.IdleBytes >= 2 * rental.HeldBytes)
        {
            Assert.Equal(before.AllocatedBytes, rental.Statistics.AllocatedBytes);
            Assert.Equal(before.Misses, rental.Statistics.Misses);
        }

        Collector.CollectAll();
        Assert.Equal(before.LeakedCount, rental.Statistics.LeakedCount);
        rental.AssertNothingRented();
    }

    private static void DisposeEverything() => Rental.ForEachKind(static kind =>
    {
        using var rental = new Rental(kind);
        for (int i = 0; i < 3; i++)
        {
            DisposeProperly(rental);
            Collector.CollectAll();
        }

        Assert.Equal(0, rental.Statistics.LeakedCount);
        Assert.Equal(0, rental.Statistics.LeakedBytes);
        rental.AssertNothingRented();
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void DisposeProperly(Rental rental)
    {
        PixelBuffer<uint> buffer = rental.Rent();
        PixelBuffer<uint> view = buffer.View(0, 0, 1, 1);
        PinnedPixels pin = view.Pin();
        IMemoryOwner<byte> owner = Allocate(rental);
        MemoryHandle handle = owner.Memory.Pin();
        buffer.Dispose();
        view.Dispose();
        owner.Dispose();
        Assert.NotEqual(0, rental.Statistics.RentedBytes);
        handle.Dispose();
        pin.Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Leak(Rental rental, Action<Rental> leak)
    {
        for (int i = 0; i < PerRound; i++)
        {
            leak(rental);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference LeakPinOfArray(Rental rental)
    {
        PixelBuffer<uint> buffer = rental.Rent();
        Assert.Equal(buffer.Width, buffer.Pin().Width);
        return new WeakReference(rental.Arrays.LastRented!);
    }
}
