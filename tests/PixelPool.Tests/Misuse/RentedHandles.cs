using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse;

/// <summary>Everything that can be held of an allocator. Where something is held through something else, that has ended already: the handle is the last that holds the memory.</summary>
internal static class RentedHandles
{
    private const int Block = TestSystem.BlockBytes;

    private static readonly PlanarLayout s_planes = PlanarLayout.Yuv420(64, 64);

    private static readonly Dictionary<string, Func<PixelAllocator, RentedHandle>> s_all = new()
    {
        ["small image"] = static allocator => RentedHandle.Of(allocator.Rent<byte>(60, 50)),
        ["image of one block"] = static allocator => RentedHandle.Of(allocator.Rent<byte>(200, 200)),
        ["image of several blocks"] = static allocator => RentedHandle.Of(allocator.Rent<byte>(1000, 200)),
        ["contiguous image"] = static allocator => RentedHandle.Of(allocator.Rent<byte>(1000, 200, AllocationOptions.Contiguous)),
        ["image of unpooled pieces"] = static allocator => RentedHandle.Of(allocator.Rent<byte>(1000, 1700)),
        ["view"] = static allocator => Last(allocator.Rent<byte>(200, 200), static image => image.View(3, 3, 50, 50)),
        ["view of a view"] = static allocator => Last(allocator.Rent<byte>(200, 200), static image =>
        {
            using PixelBuffer<byte> view = image.View(3, 3, 50, 50);
            return view.View(1, 1, 5, 5);
        }),
        ["cast"] = static allocator =>
        {
            using PixelBuffer<uint> image = allocator.Rent<uint>(100, 100);
            return RentedHandle.Of(image.Cast<byte>());
        },
        ["subsampled plane"] = static allocator => Last(allocator.Rent<byte>(200, 200), static image => image.AsSubsampledPlane(2)),
        ["read-only image"] = static allocator =>
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(200, 200);
            ReadOnlyPixelBuffer<byte> readOnly = image.AsReadOnly();
            return RentedHandle.Of(image, () => ((IDisposable)readOnly).Dispose());
        },
        ["lease"] = static allocator => RentedHandle.Of(allocator.Lease<byte>(200, 200)),
        ["small lease"] = static allocator => RentedHandle.Of(allocator.Lease<byte>(60, 50)),
        ["buffer of a lease"] = static allocator =>
        {
            using PixelLease<byte> lease = allocator.Lease<byte>(200, 200);
            return RentedHandle.Of(lease.AsBuffer());
        },
        ["owner"] = static allocator => Of(allocator.Allocate<byte>(10_000)),
        ["small owner"] = static allocator => Of(allocator.Allocate<byte>(1000)),
        ["owner of structs"] = static allocator => Of(allocator.AllocateStructs<byte>(10_000)),
        ["owner of the memory pool"] = static allocator => Of(allocator.AsMemoryPool().Rent(10_000)),
        ["pin"] = static allocator =>
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(200, 200);
            PinnedPixels pin = image.Pin();
            return RentedHandle.Of(pin.Address, 40_000, pin.Dispose);
        },
        ["pin given to native code"] = static allocator =>
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(200, 200);
            NativePixels native = image.Pin().GiveToNative();
            return RentedHandle.Of(native.Address, 40_000, native.Release);
        },
        ["handle of memory"] = static allocator =>
        {
            using IMemoryOwner<byte> owner = allocator.Allocate<byte>(10_000);
            return Of(owner.Memory.Pin(), 10_000);
        },
        ["handle of a row"] = static allocator =>
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(200, 200);
            return Of(image.DangerousGetRowMemory(7).Pin(), 200);
        },
        ["planes"] = static allocator =>
        {
            PlanarImage image = allocator.RentPlanar(s_planes);
            return RentedHandle.Of(image.Planes[1], image.Dispose);
        },
        ["one of the planes"] = static allocator =>
        {
            using PlanarImage image = allocator.RentPlanar(s_planes);
            return RentedHandle.Of(image.Planes[1].View(0, 0, 32, 32));
        },
        ["lease of planes"] = static allocator =>
        {
            PlanarLease lease = allocator.LeasePlanar(s_planes);
            return RentedHandle.Of(lease.GetPlane(0), () => ((IDisposable)lease).Dispose());
        },
        ["stream over an image"] = static allocator =>
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(200, 200);
            Stream stream = image.AsStream();
            return new RentedHandle(stream.Dispose);
        },
        ["stream"] = static allocator =>
        {
            var stream = new PixelPoolStream(allocator, 3 * Block);
            return RentedHandle.Of(stream.GetMemory(1000), stream.Dispose);
        },
        ["image of a scope"] = static allocator =>
        {
            var scope = new RentScope(allocator);
            return RentedHandle.Of(scope.Rent<byte>(200, 200), scope.Dispose);
        },
        ["lease of a scope with a budget"] = static allocator =>
        {
            RentScope scope = allocator.CreateScope(4 * Block);
            return RentedHandle.Of(scope.Lease<byte>(200, 200), scope.Dispose);
        },
        ["reservation with an image"] = static allocator =>
        {
            RentScope scope = allocator.ReserveScope(4 * Block);
            return RentedHandle.Of(scope.Rent<byte>(200, 200), scope.Dispose);
        },
        ["stream of a scope"] = static allocator =>
        {
            var scope = new RentScope(allocator);
            var stream = new PixelPoolStream(scope, 3 * Block);
            return RentedHandle.Of(stream.GetMemory(1000), () =>
            {
                scope.Dispose();
                stream.Dispose();
            });
        },
        ["external charge"] = static allocator => new RentedHandle(allocator.ChargeExternal(5000).Dispose),
        ["wrapped memory that is charged"] = static allocator =>
        {
            bool released = false;
            return RentedHandle.Of(allocator.Wrap<byte>(new CountedRelease(() => released = released ? throw new NotSupportedException("Released twice.") : true), 100, 100, 100, charge: true));
        },
    };

    public static IEnumerable<string> Names => s_all.Keys;

    public static RentedHandle Rent(string name, PixelAllocator allocator) => s_all[name](allocator);

    private static RentedHandle Of(IMemoryOwner<byte> owner) => RentedHandle.Of(owner.Memory, owner.Dispose);

    private static unsafe RentedHandle Of(MemoryHandle handle, int bytes) => RentedHandle.Of((nint)handle.Pointer, bytes, () => ((IDisposable)handle).Dispose());

    private static RentedHandle Last(PixelBuffer<byte> image, Func<PixelBuffer<byte>, PixelBuffer<byte>> take)
    {
        using (image)
        {
            return RentedHandle.Of(take(image));
        }
    }

    // Memory of somebody else, that must be released once.
    private sealed class CountedRelease(Action release) : IMemoryOwner<byte>
    {
        public Memory<byte> Memory { get; } = new byte[10_000];

        public void Dispose() => release();
    }
}
