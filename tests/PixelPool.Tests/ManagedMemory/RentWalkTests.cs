using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>Managed memory runs out at each allocation of each operation in turn: what is rented is refused, or rented; what is returned is returned.</summary>
[Trait("Category", "Long")]
public sealed class RentWalkTests
{
    private static readonly Dictionary<string, Action<PixelAllocatorOptions>?> s_allocators = new()
    {
        ["arrays"] = static options => options.LeakTracking = LeakTracking.Full,
        ["slabs"] = static options => options.SmallBuffers = SmallBufferStrategy.Slab,
        ["guarded"] = static options =>
        {
            options.GuardedRentSampling = 1;
            options.MaxRentedBytes = 32 * WalkedAllocator.BlockBytes;
        },
        ["budget"] = static options => options.MaxRentedBytes = 32 * WalkedAllocator.BlockBytes,
        ["clear"] = static options =>
        {
            options.ClearOnReturn = true;
            WalkedAllocator.UsePinnedHeap(options);
        },
    };

    // A small image, a block, several blocks, several side by side, and more than the pool may hold.
    private static readonly (string Name, int Width, int Height)[] s_images =
    [
        ("small", 16, 16), ("block", 256, 200), ("blocks", 256, 256 * 3), ("long rows", 100_000, 2), ("unpooled", 256, 256 * 20),
    ];

    [Theory]
    [InlineData("arrays")]
    [InlineData("slabs")]
    [InlineData("budget")]
    [InlineData("guarded")]
    [InlineData("clear")]
    public void No_image_is_lost_wherever_managed_memory_runs_out(string allocator) => ChildProcess.Run(WalkImages, [allocator], FullHeap.Environment);

    [Fact]
    public void Nothing_else_that_is_rented_is_lost() => ChildProcess.Run(WalkOthers, FullHeap.Environment);

    [Fact]
    public void Nothing_is_lost_of_an_image_that_is_used() => ChildProcess.Run(WalkUses, FullHeap.Environment);

    private static void WalkImages(string[] arguments)
    {
        var walk = new Walk();
        using var walked = new WalkedAllocator(s_allocators[arguments[0]]);
        foreach ((string name, int width, int height) in s_images)
        {
            walk.BothWays(walked, name, () => walked.Allocator.Rent<byte>(width, height));
        }
    }

    private static void WalkOthers()
    {
        var walk = new Walk();
        using var walked = new WalkedAllocator(static options => options.MaxRentedBytes = 32 * WalkedAllocator.BlockBytes);
        PixelAllocator allocator = walked.Allocator;
        byte[] array = new byte[256 * 256];
        walk.BothWays(walked, "owner", () => allocator.Allocate<int>(20_000));
        walk.BothWays(walked, "array of a memory pool", () => allocator.AsMemoryPool().Rent(100));
        walk.BothWays(walked, "planar image", () => allocator.RentPlanar(PlanarLayout.Yuv420(64, 64)));
        walk.BothWays(walked, "wrapped memory", () => allocator.Wrap<byte>(array, 256, 256, charge: true));
        walk.BothWays(walked, "charge", () => allocator.ChargeExternal(1000));
        walk.BothWays(walked, "reservation", () => allocator.ReserveScope(1000));
        walk.BothWays(walked, "scope", () => RentIn(allocator.CreateScope(8 * WalkedAllocator.BlockBytes)));
        walk.BothWays(walked, "scope with a reservation", () => RentIn(allocator.ReserveScope(8 * WalkedAllocator.BlockBytes)));
        walk.BothWays(walked, "stream", () => WriteTo(new PixelPoolStream(allocator)));
        walk.BothWays(walked, "objects of one size", () => FillBlocks(new FixedBlockAllocator<decimal>(allocator, checksFrees: true)));
    }

    private static void WalkUses()
    {
        var walk = new Walk();
        using var walked = new WalkedAllocator(WalkedAllocator.UsePinnedHeap);
        foreach ((string name, int width, int height) in s_images[..2])
        {
            WalkUse("lease", static (image, holder) => holder.Hold(image.AsLease()));
            WalkUse("view", static (image, holder) => holder.Hold(image.View(1, 1, 8, 8)));
            WalkUse("pin", static (image, holder) => holder.Hold(image.Pin()));
            WalkUse("pixels of native code", static (image, holder) => holder.Give(image));
            WalkUse("delegate", static (image, _) => image.ProcessPixelRows(static rows => rows.GetRowSpan(0).Fill(1)));

            void WalkUse(string use, Action<PixelBuffer<byte>, Holder> hold) => walk.BothWays(walked, $"{use} of {name}", () =>
            {
                // It goes on when the image is disposed.
                var holder = new Holder();
                using PixelBuffer<byte> image = walked.Allocator.Rent<byte>(width, height);
                hold(image, holder);
                return holder;
            });
        }
    }

    private static RentScope RentIn(RentScope scope)
    {
        bool rented = false;
        try
        {
            scope.Rent<byte>(16, 16);
            scope.Lease<byte>(256, 300);
            scope.Allocate<byte>(100);
            rented = true;
            return scope;
        }
        finally
        {
            if (!rented)
            {
                scope.Dispose();
            }
        }
    }

    private static PixelPoolStream WriteTo(PixelPoolStream stream)
    {
        bool written = false;
        try
        {
            Span<byte> bytes = stackalloc byte[1000];
            for (int i = 0; i < 80; i++)
            {
                stream.Write(bytes);
            }

            written = true;
            return stream;
        }
        finally
        {
            if (!written)
            {
                stream.Dispose();
            }
        }
    }

    private static unsafe FixedBlockAllocator<decimal> FillBlocks(FixedBlockAllocator<decimal> objects)
    {
        bool filled = false;
        try
        {
            for (int i = 0; i < 2 * WalkedAllocator.BlockBytes / sizeof(decimal); i++)
            {
                objects.Allocate();
            }

            filled = true;
            return objects;
        }
        finally
        {
            if (!filled)
            {
                objects.Dispose();
            }
        }
    }

    // Made before what it holds: a test must not lose it.
    private sealed class Holder : IDisposable
    {
        private IDisposable? _held;
        private PixelLease<byte> _lease;
        private NativePixels _native;

        public void Hold(IDisposable held) => _held = held;

        public void Hold(PixelLease<byte> lease) => _lease = lease;

        public void Give(PixelBuffer<byte> image)
        {
            using PinnedPixels pin = image.Pin();
            _native = pin.GiveToNative();
        }

        public void Dispose()
        {
            _held?.Dispose();
            _lease.Dispose();
            if (_native.Context != 0)
            {
                _native.Release();
            }
        }
    }
}
