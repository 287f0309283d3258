using System.Reflection;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;

namespace Everywhere.Exercise;

/// <summary>Stacks are read from what is left of the program's metadata.</summary>
internal static class LeakReports
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    public static void ForgottenImageIsNamed()
    {
        using PixelAllocator allocator = Create();
        using var told = new ManualResetEventSlim();
        RentRecord? leaked = null;
        allocator.Leaked += Told;
        Forget(allocator);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Checks.Equal(true, told.Wait(s_timeLimit));
        CheckPlace(nameof(Forget), leaked!.Place);
        Checks.Contains(nameof(ForgottenImageIsNamed), leaked.StackText!);
        Checks.Equal((8L << 20, RentKind.Memory, null), (leaked.Bytes, leaked.Kind, leaked.Tag));
        Checks.True(leaked.Age >= TimeSpan.Zero && leaked.Stack is { FrameCount: > 0 } && leaked.HolderStackText is null, leaked.ToString());
        allocator.Leaked -= Told;

        void Told(object? sender, LeakedEventArgs e)
        {
            leaked = e.Rent;
            told.Set();
        }
    }

    public static void WrappersAreNamed() =>
        Checks.Equal("Everywhere.Wrapper", typeof(LeakReports).Assembly.GetCustomAttribute<RentsForCallersAttribute>()?.Assembly);

    public static void HeldIsListed()
    {
        using PixelAllocator allocator = Create();
        Check(nameof(ReserveAsync), ReserveAsync(allocator).AsTask().GetAwaiter().GetResult());
        Check(nameof(HeldIsListed), allocator.Rent<uint>(2000, 1000));
        Check(nameof(HeldIsListed), allocator.RentAsync<uint>(2000, 1000).AsTask().GetAwaiter().GetResult());
        Check(nameof(HeldIsListed), allocator.Lease<uint>(2000, 1000));
        Check(nameof(HeldIsListed), allocator.Allocate<uint>(1000));
        Check(nameof(HeldIsListed), allocator.AsMemoryPool().Rent(1000));
        Check(nameof(HeldIsListed), allocator.ChargeExternal(1000));
        using RentScope scope = allocator.CreateScope(8 << 20);
        Check(nameof(HeldIsListed), scope.Rent<uint>(2000, 1000));
        Check(nameof(HeldIsListed), scope.RentAsync<uint>(2000, 1000).AsTask().GetAwaiter().GetResult());
        Check(nameof(HeldIsListed), scope.Allocate<uint>(1000));
        Check(nameof(HeldIsListed), scope.ReserveScopeAsync(1000).AsTask().GetAwaiter().GetResult());

        void Check(string method, IDisposable held)
        {
            CheckPlace(method, allocator.GetOutstandingRents().Single().Place);
            held.Dispose();
        }
    }

    public static void HolderIsNamed()
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<uint> image = allocator.Rent<uint>(1000, 1000);
        PixelBuffer<uint> view = image.View(0, 0, 10, 10);
        image.Dispose();
        CheckHolder(view);
        PixelLease<uint> lease = allocator.Lease<uint>(1000, 1000);
        PixelBuffer<uint> buffer = lease.AsBuffer();
        lease.Dispose();
        CheckHolder(buffer);
        image = allocator.Rent<uint>(1000, 1000);
        PinnedPixels pin = image.Pin();
        image.Dispose();
        CheckHolder(pin);
        using LeakTracker tracker = allocator.TrackLeaks();
        lease.Dispose();
        try
        {
            tracker.AssertNone();
        }
        catch (PixelLeakException e)
        {
            CheckPlace(nameof(HolderIsNamed), e.SecondReturns.Single());
            return;
        }

        throw new InvalidOperationException("The second return was not told.");

        void CheckHolder(IDisposable holder)
        {
            RentRecord rent = allocator.GetOutstandingRents().Single();
            Checks.Equal(RentHolder.View, rent.Holder);
            CheckPlace(nameof(HolderIsNamed), rent.HolderPlace);
            holder.Dispose();
        }
    }

    public static void TrackerNamesIt()
    {
        using PixelAllocator allocator = Create();
        using LeakTracker tracker = allocator.TrackLeaks();
        Forget(allocator);
        try
        {
            tracker.AssertNone();
        }
        catch (PixelLeakException e)
        {
            Checks.Contains(typeof(LeakReports).FullName + "." + nameof(Forget), e.Message);
            Checks.Equal(1, e.Leaked.Count + e.Held.Count);
            return;
        }

        throw new InvalidOperationException("Nothing was found.");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator) => allocator.Rent<uint>(2000, 1000).Clear();

    private static async ValueTask<RentScope> ReserveAsync(PixelAllocator allocator)
    {
        await Task.Yield();
        return await allocator.ReserveScopeAsync(8 << 20);
    }

    private static PixelAllocator Create() =>
        PixelAllocator.Create(new PixelAllocatorOptions { LeakTracking = LeakTracking.Full, MaxRentedBytes = 64 << 20 });

    // The file and line only where symbols are. Native AOT before .NET 10 knows no methods: there a place is what the runtime writes of the frame.
    private static void CheckPlace(string method, string? place)
    {
        string named = place?.Split([" in "], StringSplitOptions.None)[0] ?? string.Empty;
        bool isWritten = named.StartsWith(typeof(LeakReports).FullName + ".", StringComparison.Ordinal) && named.Contains(method) && named.Contains(" + 0x");
        Checks.Equal(isWritten ? named : typeof(LeakReports).FullName + "." + method, named);
    }
}
