using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>An image that was disposed properly, and a view or a pin of it that was not: reports accuse the right one of the two.</summary>
public sealed class HolderTests : IDisposable
{
    private readonly TestSystem _system = new();

    public void Dispose() => _system.Dispose();

    /// <summary>What holds the memory of something that was disposed.</summary>
    public static TheoryData<string> Holders => ["View", "Pin", "AsBuffer", "PinOfMemory", "ViewOfView"];

    [Theory]
    [MemberData(nameof(Holders))]
    public void Held_memory_names_what_holds_it_and_where_that_was_made(string holder)
    {
        using PixelAllocator allocator = Create(LeakTracking.Full);
        (IDisposable held, int rentedLine, int madeLine) = Hold(allocator, holder);
        RentRecord rent = Assert.Single(allocator.GetOutstandingRents());
        Assert.Equal(RentHolder.View, rent.Holder);
        Assert.EndsWith($":line {rentedLine}", rent.Place, StringComparison.Ordinal);
        Assert.EndsWith($":line {madeLine}", rent.HolderPlace, StringComparison.Ordinal);
        Assert.Contains(nameof(Held_memory_names_what_holds_it_and_where_that_was_made), rent.HolderStackText, StringComparison.Ordinal);
        Assert.Contains($"it was disposed, but a view or a pin of it was not, made at {rent.HolderPlace}; rented at {rent.Place}", rent.ToString(), StringComparison.Ordinal);
        held.Dispose();
        Assert.Empty(allocator.GetOutstandingRents());
    }

    [Fact]
    public void Memory_whose_owner_is_not_disposed_names_no_holder()
    {
        using PixelAllocator allocator = Create(LeakTracking.Full);
        using PixelBuffer<byte> image = allocator.Rent<byte>(10, 10);
        using PixelBuffer<byte> view = image.View(0, 0, 5, 5);
        RentRecord rent = Assert.Single(allocator.GetOutstandingRents());
        Assert.Equal((RentHolder.Owner, null, null), (rent.Holder, rent.HolderPlace, rent.HolderStackText));
        Assert.DoesNotContain("a view or a pin", rent.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Views_that_were_disposed_are_not_accused()
    {
        using PixelAllocator allocator = Create(LeakTracking.Full);
        PixelBuffer<byte> image = allocator.Rent<byte>(10, 10);
        image.View(0, 0, 1, 1).Dispose();
        PixelBuffer<byte> second = Second(image);
        PixelBuffer<byte> third = Third(image);
        image.Dispose();
        Assert.Contains(nameof(Second), Assert.Single(allocator.GetOutstandingRents()).HolderPlace, StringComparison.Ordinal);
        second.Dispose();
        Assert.Contains(nameof(Third), Assert.Single(allocator.GetOutstandingRents()).HolderPlace, StringComparison.Ordinal);
        third.Dispose();
        Assert.Empty(allocator.GetOutstandingRents());

        // Nothing of it is left for the next rent.
        using PixelBuffer<byte> next = allocator.Rent<byte>(10, 10);
        Assert.Null(Assert.Single(allocator.GetOutstandingRents()).HolderPlace);
    }

    /// <summary>It is recorded of a number of them where they were made. The others are not accused of the places of these.</summary>
    [Fact]
    public void Of_many_views_at_once_the_last_ones_have_no_place()
    {
        using PixelAllocator allocator = Create(LeakTracking.Full);
        PixelBuffer<byte> image = allocator.Rent<byte>(10, 10);
        PixelBuffer<byte>[] recorded = [.. Enumerable.Range(0, 64).Select(_ => Second(image))];
        PixelBuffer<byte> more = Third(image);
        image.Dispose();
        Assert.All(recorded, view =>
        {
            Assert.Contains(nameof(Second), Assert.Single(allocator.GetOutstandingRents()).HolderPlace, StringComparison.Ordinal);
            view.Dispose();
        });
        RentRecord rent = Assert.Single(allocator.GetOutstandingRents());
        Assert.Equal((RentHolder.View, null), (rent.Holder, rent.HolderPlace));
        more.Dispose();
        Assert.Empty(allocator.GetOutstandingRents());
    }

    [Fact]
    public void Pins_of_memory_that_were_disposed_are_not_accused()
    {
        using PixelAllocator allocator = Create(LeakTracking.Full);
        System.Buffers.IMemoryOwner<byte> owner = allocator.Allocate<byte>(100);
        System.Buffers.MemoryHandle first = owner.Memory.Pin();
        using System.Buffers.MemoryHandle second = PinMemory(owner, out int line);
        first.Dispose();
        owner.Dispose();
        Assert.EndsWith($":line {line}", Assert.Single(allocator.GetOutstandingRents()).HolderPlace, StringComparison.Ordinal);
    }

    [Fact]
    public void Where_it_was_made_may_be_unknown()
    {
        using PixelAllocator allocator = Create(LeakTracking.Off);
        (IDisposable held, _, _) = Hold(allocator, "View");
        RentRecord rent = Assert.Single(allocator.GetOutstandingRents());
        Assert.Equal((RentHolder.View, null), (rent.Holder, rent.HolderPlace));
        Assert.Contains("a view or a pin of it was not, made at a place that was not recorded; rented at a place that was not recorded", rent.ToString(), StringComparison.Ordinal);
        held.Dispose();
    }

    [Theory]
    [MemberData(nameof(Holders))]
    public void Leak_accuses_the_view(string holder) => ChildProcess.Run(Leak, [holder]);

    private static void Leak(string[] args)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        using LeakTracker tracker = allocator.TrackLeaks();
        int line = Forget(allocator, args[0]);
        var exception = Assert.Throws<PixelLeakException>(tracker.AssertNone);
        RentRecord rent = Assert.Single(exception.Leaked);
        Assert.Equal(RentHolder.View, rent.Holder);
        Assert.EndsWith($":line {line}", rent.HolderPlace, StringComparison.Ordinal);
        Assert.Contains(rent.HolderPlace!, exception.Message, StringComparison.Ordinal);
    }

    // On one line: what the base library's code calls from here is attributed to the line before, where that is compiled into this.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static System.Buffers.MemoryHandle PinMemory(System.Buffers.IMemoryOwner<byte> owner, out int line) { line = SourceLine.Before() + 1; return owner.Memory.Pin(); }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PixelBuffer<byte> Second(PixelBuffer<byte> image) => image.View(0, 0, 2, 2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PixelBuffer<byte> Third(PixelBuffer<byte> image) => image.View(0, 0, 3, 3);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Forget(PixelAllocator allocator, string holder) => Hold(allocator, holder).MadeLine;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (IDisposable Held, int RentedLine, int MadeLine) Hold(PixelAllocator allocator, string holder)
    {
        if (holder == "AsBuffer")
        {
            PixelLease<byte> lease = allocator.Lease<byte>(10, 10);
            int rented = SourceLine.Before();
            PixelBuffer<byte> buffer = lease.AsBuffer();
            int made = SourceLine.Before();
            lease.Dispose();
            return (buffer, rented, made);
        }

        if (holder == "PinOfMemory")
        {
            System.Buffers.IMemoryOwner<byte> owner = allocator.Allocate<byte>(100);
            int rented = SourceLine.Before();
            System.Buffers.MemoryHandle pin = PinMemory(owner, out int made);
            owner.Dispose();
            return (pin, rented, made);
        }

        PixelBuffer<byte> image = allocator.Rent<byte>(10, 10);
        int line = SourceLine.Before();
        if (holder == "ViewOfView")
        {
            using PixelBuffer<byte> view = image.View(0, 0, 5, 5);
            PixelBuffer<byte> inner = view.View(0, 0, 1, 1);
            int made = SourceLine.Before();
            image.Dispose();
            return (inner, line, made);
        }

        IDisposable held = holder == "View" ? image.View(0, 0, 5, 5) : image.Pin();
        int heldLine = SourceLine.Before();
        image.Dispose();
        return (held, line, heldLine);
    }

    private PixelAllocator Create(LeakTracking tracking) => _system.CreateAllocator(configure: options => options.LeakTracking = tracking);
}
