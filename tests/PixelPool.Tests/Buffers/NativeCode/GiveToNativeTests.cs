using System.Reflection;
using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.Buffers.NativeCode;

/// <summary>Memory that was given to native code is held until it is released, whatever ends before: pin, image, scope, allocator.</summary>
public sealed class GiveToNativeTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // A pin by itself.
    private const int PinBytes = 56;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private static readonly Dictionary<nint, (LifetimeGuard Guard, uint Version, object Holder)> s_held =
        (Dictionary<nint, (LifetimeGuard Guard, uint Version, object Holder)>)FieldOfReferences("s_held");

    private readonly TestSystem _system = new();

    public static TheoryData<MemoryTier> Tiers => PinTests.ContiguousTiers;

    private static UninterruptibleLock NativeGate { get; } = (UninterruptibleLock)FieldOfReferences("s_gate");

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(Tiers))]
    public unsafe void Memory_of_every_tier_is_held_until_the_release(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        PixelPattern.Write(image);
        using PinnedPixels pin = image.Pin();
        nint address = pin.Address;
        NativePixels given = pin.GiveToNative();
        Assert.Equal((address, image.Width, image.Height, image.Stride), (given.Address, given.Width, given.Height, given.Stride));
        image.Dispose();
        pin.Dispose();
        using (PixelBuffer<uint> next = TierSizes.Rent<uint>(allocator, tier))
        {
            PixelPattern.Fill(next, 0xEE);
        }

        PixelPattern.AssertSame<uint>(PixelPattern.Expected<uint>(given.Width, given.Height), new Span<uint>((void*)given.Address, given.Width * given.Height));
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        Assert.Equal(0, NativeOwner.ReleaseSecond(given.Address, given.Context));
        TierSizes.AssertQuiet(allocator);
        Assert.Equal(0, allocator.GetStatistics().SecondReturns);
    }

    [Fact]
    public void Every_way_to_call_releases()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        foreach (Action<nint> release in (Action<nint>[])
            [
                static context => Assert.Equal(0, NativeOwner.ReleaseFirst(context)),
                static context => Assert.Equal(0, NativeOwner.ReleaseSecond(0, context)),
                NativeOwner.ReleaseFirstOfThree,
            ])
        {
            release(Give(allocator).Context);
            Assert.Equal(0, allocator.GetStatistics().RentedBytes);
        }

        Give(allocator).Release();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
    }

    [Fact]
    public void A_thread_that_the_runtime_does_not_know_releases()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Threads are started as on Linux.");
        using PixelAllocator allocator = _system.CreateAllocator();
        for (int i = 0; i < 5; i++)
        {
            NativePixels given = Give(allocator);
            NativeOwner.ReleaseOnNativeThread(given.Context);
            Assert.Equal((0L, (long)i), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
            NativeOwner.ReleaseOnNativeThread(given.Context);
        }

        Assert.Equal(5, allocator.GetStatistics().SecondReturns);
    }

    [Fact]
    public unsafe void A_pin_that_was_given_is_as_if_disposed()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        PinnedPixels pin = image.Pin();
        NativePixels given = pin.GiveToNative();
        Assert.Contains("given to native code", Assert.Throws<ObjectDisposedException>(() => pin.Address).Message, StringComparison.Ordinal);
        Assert.Throws<ObjectDisposedException>(() => (nint)pin.Pointer);
        Assert.Throws<ObjectDisposedException>(() => pin.GiveToNative());
        Assert.Equal((Block, 1, Block), (pin.Width, pin.Height, pin.Stride));
        pin.Dispose();
        image.Dispose();
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
        given.Release();
        pin.Dispose();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);

        PinnedPixels disposed = allocator.Rent<byte>(Block, 1).Pin();
        disposed.Dispose();
        Assert.Contains("was disposed", Assert.Throws<ObjectDisposedException>(() => disposed.GiveToNative()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Dispose_and_give_at_once_release_once()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        for (int round = 0; round < 300; round++)
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
            PinnedPixels pin = image.Pin();
            NativePixels? given = null;
            Parallel.Invoke(pin.Dispose, () =>
            {
                try
                {
                    given = pin.GiveToNative();
                }
                catch (ObjectDisposedException)
                {
                    // The other one was first.
                }
            });
            image.Dispose();
            Assert.Equal(given is null ? (0, 0) : (Block, 1), (allocator.GetStatistics().RentedBytes, HeldOf(allocator)));
            given?.Release();
            Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
        }
    }

    /// <summary>Otherwise the rent, and all that it reaches, would live as long as the process.</summary>
    [Fact]
    public void A_pin_that_ends_while_it_is_given_is_held_for_nobody()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        PinnedPixels pin = image.Pin();
        Exception? thrown = null;
        var giving = new Thread(() => thrown = Record.Exception(() => pin.GiveToNative()));
        using (NativeGate.Hold())
        {
            // It has seen that the pin has not ended, and comes to the gate.
            giving.Start();
            Assert.True(SpinWait.SpinUntil(() => allocator.Tracking.Guards.Accounts.HasIssued, s_limit));
            pin.Dispose();
        }

        Assert.True(giving.Join(s_limit));
        Assert.IsType<ObjectDisposedException>(thrown);
        Assert.Equal(0, HeldOf(allocator));
        image.Dispose();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().SecondReturns));
    }

    [Fact]
    public unsafe void An_image_that_lives_on_is_not_returned_by_the_release()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        NativePixels first = image.Pin().GiveToNative();
        NativePixels second = image.Pin().GiveToNative();
        Assert.Equal(first.Address, second.Address);
        Assert.NotEqual(first.Context, second.Context);
        first.Release();
        image[0, 0] = 7;
        Assert.Equal(7, *(byte*)second.Address);
        image.Dispose();
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
        second.Release();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public unsafe void A_view_can_be_given()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PixelBuffer<uint> image = allocator.Rent<uint>(100, 50, AllocationOptions.Contiguous);
        image[3, 2] = 5;
        using PixelBuffer<uint> view = image.View(3, 2, 10, 10);
        NativePixels given = view.Pin().GiveToNative();
        Assert.Equal((5u, 10, 10, image.Stride), (*(uint*)given.Address, given.Width, given.Height, given.Stride));
        given.Release();
    }

    [Fact]
    public unsafe void Scope_and_allocator_may_end_before()
    {
        PixelAllocator allocator = _system.CreateAllocator();
        NativePixels given;
        using (var scope = new RentScope(allocator))
        {
            given = scope.Rent<byte>(Block, 1).Pin().GiveToNative();
        }

        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
        allocator.Dispose();
        *(byte*)given.Address = 1;
        Assert.Equal(Block, allocator.GetStatistics().RentedBytes);
        given.Release();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, statistics.AllocatedBytes, 0L), (statistics.RentedBytes, statistics.ReleasedBytes, statistics.SecondReturns));
        given.Release();
        Assert.Equal(1, allocator.GetStatistics().SecondReturns);
    }

    [Fact]
    public async Task Budget_is_charged_until_the_release()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = Block);
        using RentScope scope = allocator.CreateScope(Block);
        PixelBuffer<byte> image = scope.Rent<byte>(Block, 1);
        NativePixels given = image.Pin().GiveToNative();
        image.Dispose();
        Assert.Equal((Block, (long)Block), (scope.ChargedBytes, allocator.GetStatistics().ChargedBytes));
        Assert.False(allocator.TryRent<byte>(Block, 1, out _));
        Task<PixelBuffer<byte>> waiting = allocator.RentAsync<byte>(Block, 1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.False(waiting.IsCompleted);
        NativeOwner.ReleaseFirst(given.Context);
        (await waiting.SoonAsync()).Dispose();
        Assert.Equal((0L, 0L), (scope.ChargedBytes, allocator.GetStatistics().ChargedBytes));
    }

    [Fact]
    public void Memory_of_others_is_released_when_native_code_is_done_with_it()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using var bitmap = new Wrapping.NativeBitmap(400);
        int releases = 0;
        NativePixels given;
        using (PixelBuffer<uint> image = allocator.Wrap<uint>(bitmap.Address, 10, 10, 40, _ => releases++))
        {
            given = image.Pin().GiveToNative();
        }

        Assert.Equal(0, releases);
        given.Release();
        given.Release();
        Assert.Equal(1, releases);
    }

    [Fact]
    public void Giving_and_releasing_allocates_only_the_pin()
    {
        using PixelAllocator allocator = _system.CreateAllocator();
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        AllocationMeter.AssertAllocates(PinBytes, () => NativeOwner.ReleaseSecond(0, image.Pin().GiveToNative().Context));
    }

    private static object FieldOfReferences(string name) => typeof(NativeReferences).GetField(name, BindingFlags.Static | BindingFlags.NonPublic)!.GetValue(null)!;

    // Of the whole process: other tests have something there, too.
    private static int HeldOf(PixelAllocator allocator)
    {
        using (NativeGate.Hold())
        {
            return s_held.Values.Count(held => held.Guard.Registry == allocator.Tracking.Guards);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static NativePixels Give(PixelAllocator allocator)
    {
        using PixelBuffer<byte> image = allocator.Rent<byte>(Block, 1);
        return image.Pin().GiveToNative();
    }
}
