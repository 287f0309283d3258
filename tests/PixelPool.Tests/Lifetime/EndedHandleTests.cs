using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>What has ended and is still kept, such as a field "last frame", keeps no later rent from being found forgotten. A lease, which is no object, is the exception.</summary>
public sealed class EndedHandleTests
{
    private const int Leaks = 6;
    private const int PerLeak = 3;

    /// <summary>Each rents, ends the rent, and returns what a careless user may keep.</summary>
    private static readonly Dictionary<string, Func<PixelAllocator, object?>> s_ended = new()
    {
        ["Buffer"] = static allocator => End(allocator.Rent<uint>(100, 100)),
        ["View"] = static allocator =>
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            return End(image.View(1, 1, 2, 2));
        },
        ["Buffer of a lease"] = static allocator =>
        {
            using PixelLease<uint> lease = allocator.Lease<uint>(100, 100);
            return End(lease.AsBuffer());
        },
        ["Pin"] = static allocator =>
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            return End(image.Pin());
        },
        ["Pin given to native code"] = static allocator =>
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            PinnedPixels pin = image.Pin();
            NativePixels native = pin.GiveToNative();
            native.Release();
            return (pin, native);
        },
        ["Owner"] = static allocator => End(allocator.Allocate<byte>(40_000)),
        ["Memory of an owner"] = static allocator =>
        {
            using IMemoryOwner<byte> owner = allocator.Allocate<byte>(40_000);
            return owner.Memory;
        },
        ["Owner that was pinned"] = static allocator =>
        {
            IMemoryOwner<byte> owner = allocator.Allocate<byte>(40_000);
            MemoryHandle first = owner.Memory.Pin();
            MemoryHandle second = owner.Memory.Pin();
            MemoryHandle third = owner.Memory.Pin();
            second.Dispose();
            owner.Dispose();
            third.Dispose();
            first.Dispose();
            return owner;
        },
        ["Owner of the memory pool"] = static allocator => End(allocator.AsMemoryPool().Rent(40_000)),
        ["Row"] = static allocator =>
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            return image.DangerousGetRowMemory(3);
        },
        ["Row that was pinned"] = static allocator =>
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            Memory<uint> row = image.DangerousGetRowMemory(3);
            row.Pin().Dispose();
            return row;
        },
        ["Sequence"] = static allocator =>
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            return image.AsReadOnlySequence();
        },
        ["Planes"] = static allocator => End(allocator.RentPlanar(PlanarLayout.Yuv420(64, 64))),
        ["Charge"] = static allocator => End(allocator.ChargeExternal(5000)),
        ["Scope"] = static allocator =>
        {
            var scope = new RentScope(allocator);
            scope.Rent<uint>(100, 100);
            scope.Lease<uint>(100, 100);
            return End(scope);
        },
        ["Open scope with leases that ended"] = static allocator =>
        {
            var scope = new RentScope(allocator);
            scope.Lease<uint>(100, 100).Dispose();
            scope.Lease<byte>(TestSystem.BlockBytes, 1).Dispose();
            return scope;
        },
        ["Two open scopes that had the same guards"] = static allocator =>
        {
            var first = new RentScope(allocator);
            var second = new RentScope(allocator);
            first.Lease<uint>(100, 100).Dispose();
            second.Lease<uint>(100, 100).Dispose();
            return (first, second);
        },
        ["Stream of a scope that ended"] = static allocator =>
        {
            using var scope = new RentScope(allocator);
            return Written(scope, 3 * TestSystem.BlockBytes);
        },
        ["Sequence of such a stream"] = static allocator =>
        {
            using var scope = new RentScope(allocator);
            return Written(scope, 20_000).AsReadOnlySequence();
        },
        ["Memory of such a stream"] = static allocator =>
        {
            using var scope = new RentScope(allocator);
            PixelPoolStream stream = Written(scope, 2 * TestSystem.BlockBytes);
            stream.Position = TestSystem.BlockBytes - 10;
            return (stream, stream.GetMemory(1000));
        },
        ["Reservation"] = static allocator => End(allocator.ReserveScope(5000)),
        ["Stream"] = static allocator =>
        {
            var stream = new PixelPoolStream(allocator);
            stream.Write(new byte[20_000]);
            return End(stream);
        },
        ["Memory of a stream"] = static allocator =>
        {
            using var stream = new PixelPoolStream(allocator);
            return stream.GetMemory(1000);
        },
        ["Memory behind the content of a stream"] = static allocator =>
        {
            using var stream = new PixelPoolStream(allocator, 2 * TestSystem.BlockBytes);
            stream.Position = TestSystem.BlockBytes - 10;
            return stream.GetMemory(1000);
        },
        ["Sequence of a stream"] = static allocator =>
        {
            using var stream = new PixelPoolStream(allocator);
            stream.Write(new byte[20_000]);
            return stream.AsReadOnlySequence();
        },
        ["Memory that a stream gave up"] = static allocator =>
        {
            var stream = new PixelPoolStream(allocator);
            Memory<byte> memory = stream.GetMemory(1000);
            stream.SetLength(3 * TestSystem.BlockBytes);
            stream.SetLength(0);
            return (stream, memory);
        },
        ["Source that was read"] = static allocator =>
        {
            var source = new KeepingStream();
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            image.WriteToAsync(source).AsTask().GetAwaiter().GetResult();
            return source;
        },
    };

    [Fact]
    public void What_has_ended_hides_no_leak() => ChildProcess.Run(FindLeaks);

    [Fact]
    public void A_lease_that_is_kept_does_until_it_is_overwritten() => ChildProcess.Run(KeepLease);

    private static void KeepLease()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options => options.LeakTracking = LeakTracking.Full);
        var kept = new PixelLease<byte>[1];
        LeaseAndReturn(allocator, kept);
        ForgetOne(allocator);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert.Equal(0, allocator.GetStatistics().LeakedCount);
        Assert.Contains(nameof(ForgetOne), Assert.Single(allocator.GetOutstandingRents()).Place, StringComparison.Ordinal);

        kept[0] = default;
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Assert.Equal(1, allocator.GetStatistics().LeakedCount);
        Assert.Empty(allocator.GetOutstandingRents());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LeaseAndReturn(PixelAllocator allocator, PixelLease<byte>[] kept)
    {
        kept[0] = allocator.Lease<byte>(TestSystem.BlockBytes, 1);
        kept[0].Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetOne(PixelAllocator allocator) => GC.KeepAlive(allocator.Rent<byte>(TestSystem.BlockBytes, 1));

    private static void FindLeaks()
    {
        string[] hide =
        [
            .. from kind in s_ended.Keys
               from small in (SmallBufferStrategy[])[SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab, SmallBufferStrategy.None]
               let found = CountLeaks(kind, small)
               where found != Leaks * PerLeak
               select $"{kind}, {small}: {found} of {Leaks * PerLeak} leaks were found",
        ];
        Assert.Empty(hide);
    }

    private static long CountLeaks(string kind, SmallBufferStrategy small)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(capacityInBlocks: 64, options => options.SmallBuffers = small);
        object? kept = Make(kind, allocator);
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);

        // Each guard that is found forgotten is let go: in the end all that there were have served.
        for (int i = 0; i < Leaks; i++)
        {
            Forget(allocator);
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        long found = allocator.GetStatistics().LeakedCount;
        GC.KeepAlive(kept);
        return found;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object? Make(string kind, PixelAllocator allocator) => s_ended[kind](allocator);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator)
    {
        GC.KeepAlive(allocator.Rent<uint>(100, 100));
        GC.KeepAlive(allocator.Allocate<byte>(16_000));
        GC.KeepAlive(allocator.Rent<byte>(TestSystem.BlockBytes, 1));
    }

    private static T End<T>(T handle)
        where T : IDisposable
    {
        handle.Dispose();
        return handle;
    }

    // Which nobody disposes.
    private static PixelPoolStream Written(RentScope scope, int bytes)
    {
        var stream = new PixelPoolStream(scope);
        stream.Write(new byte[bytes]);
        return stream;
    }

    // Keeps what it was given, which no stream should.
    private sealed class KeepingStream : MemoryStream
    {
        private readonly List<ReadOnlyMemory<byte>> _given = [];

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            _given.Add(buffer);
            return base.WriteAsync(buffer, cancellationToken);
        }
    }
}
