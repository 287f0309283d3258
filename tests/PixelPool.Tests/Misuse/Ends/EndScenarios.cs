using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse.Ends;

/// <summary>Small sets of things that hold memory for each other. Each of their orders to end is tried.</summary>
internal static class EndScenarios
{
    private const string Allocator = "allocator";
    private const string Scope = "scope";
    private const int Block = TestSystem.BlockBytes;

    private static readonly Dictionary<string, Func<MisusedAllocator, Ending[]>> s_all = new()
    {
        ["image, view, pin and lease of a scope"] = static system =>
        {
            var scope = new RentScope(system.Allocator);
            PixelBuffer<byte> image = scope.Rent<byte>(100, 100);
            PixelBuffer<byte> view = image.View(5, 5, 50, 50);
            PinnedPixels pin = view.Pin();
            PixelLease<byte> lease = scope.Lease<byte>(60, 50);
            image.Fill(7);
            lease.Fill(7);
            return
            [
                Of(system.Allocator),
                Of(scope),
                Of("image", image, Scope),
                Of("view", view),
                Of("pin", pin),
                Of("lease", lease, Scope),
            ];
        },
        ["budgets in budgets"] = static system =>
        {
            RentScope outer = system.Allocator.CreateScope(12 * Block);
            RentScope reservation = outer.ReserveScope(6 * Block);
            PixelBuffer<byte> image = reservation.Rent<byte>(1000, 70);
            PixelBuffer<byte> view = image.View(0, 60, 1000, 10);
            ExternalCharge charge = outer.ChargeExternal(Block);
            image.Fill(7);
            return
            [
                Of(system.Allocator),
                Of(outer),
                new Ending("reservation", reservation.Dispose, () => reservation.Rent<byte>(10, 10).Dispose(), Allocator, Scope),
                Of("image", image, Scope, "reservation"),
                Of("view", view),
                new Ending("charge", charge.Dispose, static () => { }) { EndsItself = false },
            ];
        },
        ["memory of a scope and its handles"] = static system =>
        {
            var scope = new RentScope(system.Allocator);
            IMemoryOwner<byte> owner = scope.Allocate<byte>(1000);
            Memory<byte> memory = owner.Memory;
            memory.Span.Fill(7);
            MemoryHandle first = memory.Pin();
            MemoryHandle second = memory.Pin();
            IMemoryOwner<byte> ofPool = system.Allocator.AsMemoryPool().Rent(5000);
            ofPool.Memory.Span.Fill(7);
            return
            [
                Of(system.Allocator),
                Of(scope),
                new Ending("owner", owner.Dispose, () => AssertHolds(memory.Span), Scope),
                Of("first handle", first),
                Of("second handle", second),
                new Ending("owner of the memory pool", ofPool.Dispose, () => AssertHolds(ofPool.Memory.Span)),
            ];
        },
        ["streams"] = static system =>
        {
            var scope = new RentScope(system.Allocator);
            PixelPoolStream ofScope = Written(new PixelPoolStream(scope));
            ReadOnlySequence<byte> sequence = ofScope.AsReadOnlySequence();
            PixelBuffer<byte> image = system.Allocator.Rent<byte>(1000, 100);
            Stream ofImage = image.AsStream();
            image.Fill(7);
            return
            [
                Of(system.Allocator),
                Of(scope),
                new Ending("stream of the scope", ofScope.Dispose, () => AssertHolds(sequence.ToArray()), Scope),
                Of("image", image),
                new Ending("stream of the image", ofImage.Dispose, () => AssertHolds(Read(ofImage))),
            ];
        },
        ["planes, and native code that holds them"] = static system =>
        {
            PlanarImage planes = system.Allocator.RentPlanar(PlanarLayout.Yuv420(200, 100));
            PixelBuffer<byte> view = planes.Planes[2].View(1, 1, 20, 20);
            PinnedPixels pin = planes.Pin();
            PinnedPixels given = planes.Pin();
            nint address = given.Address;
            NativePixels native = given.GiveToNative();
            foreach (PixelBuffer<byte> plane in planes.Planes)
            {
                plane.Fill(7);
            }

            bool released = false;
            return
            [
                Of(system.Allocator),
                new Ending("planes", planes.Dispose, () => AssertHolds(planes.Planes[0])),
                new Ending("plane", planes.Planes[1].Dispose, () => AssertHolds(planes.Planes[1]), "planes"),
                Of("view", view),
                Of("pin", pin),
                new Ending(
                    "native code",
                    () =>
                    {
                        native.Release();
                        released = true;
                    },
                    () => AssertHolds(released ? throw new ObjectDisposedException("native") : address)),
            ];
        },
        ["lease, and what is made of it"] = static system =>
        {
            PixelLease<byte> lease = system.Allocator.Lease<byte>(200, 200);
            PixelBuffer<byte> buffer = lease.AsBuffer();
            PixelLease<byte> part = lease.View(10, 10, 20, 20);
            PixelLease<byte> borrowed = buffer.AsLease();

            // It holds nothing: what it was taken from keeps it, and so does whatever else holds the memory.
            PixelBuffer<byte> ofPart = part.AsBuffer();
            lease.Fill(7);
            return
            [
                Of(system.Allocator),
                Of("lease", lease),
                Of("buffer", buffer),
                Of("view", part, "lease") with { EndsItself = false },
                Of("lease of the buffer", borrowed) with { EndsItself = false, HeldBy = ["lease", "buffer", "buffer of the view"] },
                Of("buffer of the view", ofPart),
            ];
        },
        ["wrapped memory"] = static system =>
        {
            byte[] pixels = new byte[10_000];
            PixelBuffer<byte> image = system.Allocator.Wrap<byte>(pixels, 100, 100, charge: true);
            PixelBuffer<byte> view = image.View(1, 1, 98, 98);
            using PixelBuffer<byte> part = view.View(0, 0, 96, 98);
            PixelBuffer<uint> cast = part.Cast<uint>();
            PixelBuffer<byte> clone = image.Clone();
            image.Fill(7);
            clone.Fill(7);
            return
            [
                Of(system.Allocator),
                Of("image", image),
                Of("view", view),
                Of("clone", clone),
                new Ending("cast", cast.Dispose, () => Assert.Equal(0x0707_0707u, cast[23, 97])),
            ];
        },
        ["bare blocks and objects"] = static system =>
        {
            UniformUnmanagedMemoryPool pool = system.System.CreatePool();
            nint block = pool.Rent(1)[0];
            pool.Bytes(block).Fill(7);
            bool returned = false;
            return
            [
                Of(system.Allocator),
                new Ending("pool", pool.Dispose, () => pool.Return(pool.Rent(2))),
                new Ending(
                    "block",
                    () =>
                    {
                        nint[] blocks = [block];
                        if (returned)
                        {
                            Assert.Throws<InvalidMemoryOperationException>(() => pool.Return(blocks));
                            return;
                        }

                        returned = true;
                        pool.Return(blocks);
                    },
                    () => AssertHolds(returned ? throw new ObjectDisposedException("block") : pool.Bytes(block))),
                OfObjects("objects of the pool", new FixedBlockAllocator<ulong>(pool, checksFrees: true)),
                OfObjects("objects of the allocator", new FixedBlockAllocator<ulong>(system.Allocator, checksFrees: true)),
            ];
        },
    };

    public static TheoryData<string> Names => [.. s_all.Keys];

    public static Ending[] Begin(string name, MisusedAllocator system) => s_all[name](system);

    private static Ending Of(PixelAllocator allocator) => new(Allocator, allocator.Dispose, () => allocator.Rent<byte>(10, 10).Dispose());

    private static Ending Of(RentScope scope) => new(Scope, scope.Dispose, () => scope.Rent<byte>(10, 10).Dispose(), Allocator);

    private static Ending Of(string name, PixelBuffer<byte> image, params string[] endsWith) => new(name, image.Dispose, () => AssertHolds(image), endsWith);

    private static Ending Of(string name, PixelLease<byte> lease, params string[] endsWith) =>
        new(name, () => ((IDisposable)lease).Dispose(), () => AssertHolds(RentedHandle.Of(lease)), endsWith);

    private static Ending Of(string name, PinnedPixels pin) => new(name, pin.Dispose, () => AssertHolds(pin.Address));

    private static unsafe Ending Of(string name, MemoryHandle handle)
    {
        nint address = (nint)handle.Pointer;
        bool ended = false;
        return new Ending(
            name,
            () =>
            {
                // Its copies cannot know of each other: a second end would be that of another handle.
                if (!ended)
                {
                    ended = true;
                    ((IDisposable)handle).Dispose();
                }
            },
            () => AssertHolds(ended ? throw new ObjectDisposedException(name) : address));
    }

    private static unsafe Ending OfObjects(string name, FixedBlockAllocator<ulong> objects)
    {
        var item = (nint)objects.Allocate();
        *(ulong*)item = 7;
        return new Ending(name, objects.Dispose, () =>
        {
            Assert.Equal(1, objects.Count);
            Assert.Equal(7ul, *(ulong*)item);
        });
    }

    private static PixelPoolStream Written(PixelPoolStream stream)
    {
        byte[] bytes = new byte[3 * Block];
        bytes.AsSpan().Fill(7);
        stream.Write(bytes);
        return stream;
    }

    private static byte[] Read(Stream stream)
    {
        byte[] bytes = new byte[1000];
        stream.Position = 99_000;
        stream.ReadExactly(bytes);
        return bytes;
    }

    private static void AssertHolds(PixelBuffer<byte> image) => AssertHolds(RentedHandle.Of(image));

    private static void AssertHolds(RentedHandle handle) => Assert.True(handle.Holds!(7), "It was changed.");

    private static void AssertHolds(ReadOnlySpan<byte> bytes) => Assert.Equal(-1, bytes.IndexOfAnyExcept((byte)7));

    private static unsafe void AssertHolds(nint address) => AssertHolds(new ReadOnlySpan<byte>((void*)address, 50));
}
