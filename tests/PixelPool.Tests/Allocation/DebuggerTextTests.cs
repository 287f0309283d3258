using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>Whatever a debugger shows says what it is in human sizes, also when it is disposed, and never throws.</summary>
public sealed class DebuggerTextTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;

    public DebuggerTextTests() => _allocator = _system.CreateAllocator(configure: static options =>
    {
        options.Name = "thumbnails";
        options.MaxRentedBytes = 16 * Block;
        options.LeakTracking = LeakTracking.Full;
    });

    public void Dispose()
    {
        _allocator.Dispose();
        _system.Dispose();
    }

    [Fact]
    public void Scope_says_whose_it_is_and_how_full()
    {
        var plain = new RentScope(_allocator);
        RentScope limited = _allocator.CreateScope(8 * Block);
        RentScope reserved = limited.ReserveScope(4 * Block);
        reserved.Rent<byte>(Block, 1);
        Assert.Equal("Scope of thumbnails", plain.ToString());
        Assert.Equal("Scope of thumbnails: 256 KiB of 512 KiB charged", limited.ToString());
        Assert.Equal("Reserved scope of thumbnails: 64 KiB of 256 KiB charged", reserved.ToString());
        plain.Dispose();
        limited.Dispose();
        Assert.Equal("Scope of thumbnails, disposed", plain.ToString());
        Assert.Equal("Scope of thumbnails: 0 B of 512 KiB charged, disposed", limited.ToString());
        Assert.Equal("Reserved scope of thumbnails: 0 B of 256 KiB charged, disposed", reserved.ToString());
    }

    [Fact]
    public void External_charge_says_its_bytes()
    {
        ExternalCharge charge = _allocator.ChargeExternal(3 << 10);
        Assert.Equal("3 KiB of external memory", charge.ToString());
        charge.Dispose();
        Assert.Equal("3 KiB of external memory, disposed", charge.ToString());
    }

    [Fact]
    public unsafe void Pin_says_its_size_and_address()
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(512, 3);
        PinnedPixels pin = image.Pin();
        Assert.Equal($"512 x 3 pixels at 0x{(nint)pin.Pointer:X}, stride 2048 bytes", pin.ToString());
        pin.Dispose();
        Assert.Equal("512 x 3 pixels, stride 2048 bytes, disposed", pin.ToString());
    }

    [Fact]
    public void Pin_of_native_code_says_whose_it_is()
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(512, 3);
        PinnedPixels pin = image.Pin();
        NativePixels given = pin.GiveToNative();
        Assert.Equal($"512 x 3 pixels at 0x{given.Address:X}, stride 2048 bytes, given to native code", pin.ToString());
        Assert.Equal($"512 x 3 pixels at 0x{given.Address:X}, stride 2048 bytes, given to native code as 0x{given.Context:X}", given.ToString());
        Assert.Equal("0 x 0 pixels, never given", default(NativePixels).ToString());
        given.Release();
    }

    [Fact]
    public void Planar_image_says_its_format()
    {
        PlanarImage image = _allocator.RentPlanar(PlanarLayout.Yuv420(512, 4));
        Assert.Equal("YUV 4:2:0, 512 x 4, 3 KiB in 3 planes", image.ToString());
        image.Dispose();
        Assert.Equal("YUV 4:2:0, 512 x 4, 3 KiB in 3 planes, disposed", image.ToString());
        Assert.Equal("NV12, 512 x 4, 3 KiB in 2 planes", PlanarLayout.Nv12(512, 4).ToString());
    }

    [Fact]
    public void Leak_tracker_says_what_was_forgotten()
    {
        LeakTracker tracker = _allocator.TrackLeaks();
        Assert.Equal("Tracks thumbnails: 0 leaks (0 B)", tracker.ToString());
        Forget();
        Collector.CollectAll();
        Assert.Equal("Tracks thumbnails: 1 leak (128 KiB)", tracker.ToString());
        tracker.Dispose();
        Assert.Equal("Tracks thumbnails: 1 leak (128 KiB), disposed", tracker.ToString());
    }

    [Fact]
    public void Pool_says_its_blocks_and_statistics()
    {
        UniformUnmanagedMemoryPool pool = _system.CreatePool();
        Assert.Equal($"PixelPool, blocks of 64 KiB: {pool.GetStatistics()}", pool.ToString());
        pool.Dispose();
        Assert.Equal($"PixelPool, blocks of 64 KiB: {pool.GetStatistics()}, disposed", pool.ToString());
    }

    [Fact]
    public void Allocator_says_that_it_is_disposed()
    {
        PixelAllocator allocator = _system.CreateAllocator();
        allocator.Dispose();
        Assert.EndsWith(", disposed", allocator.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("disposed", PixelAllocator.Shared.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Memory_pool_says_whose_it_is() => Assert.Equal("Memory pool of thumbnails", _allocator.AsMemoryPool().ToString());

    [Fact]
    public void Owner_says_its_elements()
    {
        IMemoryOwner<ushort> owner = _allocator.Allocate<ushort>(1 << 10);
        Assert.Equal("1024 UInt16, 2 KiB", owner.ToString());
        owner.Dispose();
        Assert.Equal("1024 UInt16, 2 KiB, disposed", owner.ToString());
    }

    [Fact]
    public void Accessor_says_its_size()
    {
        using PixelBuffer<uint> image = _allocator.Rent<uint>(512, 3);
        image.ProcessPixelRows(static rows => Assert.Equal("512 x 3 UInt32", rows.ToString()));
        Assert.Equal("0 x 0 UInt32", default(PixelAccessor<uint>).ToString());
    }

    [Fact]
    public void What_is_finalized_still_says_what_it_was()
    {
        var texts = new List<string>();
        FinalizeAll(texts);
        Collector.CollectAll();
        Assert.Equal(6, texts.Count);
        Assert.DoesNotContain(texts, static text => text.Contains("Exception", StringComparison.Ordinal));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Forget() => _allocator.Rent<byte>(Block, 2);

    // Nobody knows them any more, not even the allocator and the pool.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void FinalizeAll(List<string> texts)
    {
        PixelAllocator allocator = _system.CreateAllocator();
        RentScope scope = allocator.ReserveScope(Block);
        _ = new TextOfFinalized(
            texts, allocator, scope, scope.ChargeExternal(1), allocator.Rent<byte>(Block, 1).Pin(), allocator.TrackLeaks(), _system.CreatePool());
    }

    /// <summary>Asks everything for its text while all of it is finalized together.</summary>
    private sealed class TextOfFinalized(List<string> texts, params object[] things)
    {
        ~TextOfFinalized()
        {
            foreach (object thing in things)
            {
                try
                {
                    texts.Add(thing.ToString()!);
                }
#pragma warning disable CA1031 // a finalizer must not end the process: the test says what happened
                catch (Exception e)
                {
                    texts.Add(e.ToString());
                }
#pragma warning restore CA1031
            }
        }
    }
}
