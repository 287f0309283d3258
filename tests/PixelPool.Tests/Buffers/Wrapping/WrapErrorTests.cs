using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers.Wrapping;

/// <summary>What cannot be wrapped has a clear error, and stays whose it is.</summary>
public sealed class WrapErrorTests : IDisposable
{
    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;
    private int _releases;

    public WrapErrorTests() => _allocator = _system.CreateAllocator(configure: static options => options.MaxRentedBytes = 1000);

    public void Dispose()
    {
        Assert.Equal(0, _releases);
        Assert.Equal((0L, 0L, 0), (_allocator.GetStatistics().ChargedBytes, _allocator.GetStatistics().ExternalBytes, _allocator.GetOutstandingRents().Count));
        _allocator.Dispose();
        _system.Dispose();
    }

    [Theory]
    [InlineData(0, 1, 4, "width")]
    [InlineData(1, 0, 4, "height")]
    [InlineData(-1, -1, 4, "width")]
    [InlineData(2, 1, 7, "strideBytes")]
    [InlineData(2, 2, -7, "strideBytes")]
    [InlineData(1, 1, 0, "strideBytes")]
    public void Sizes_are_checked(int width, int height, int stride, string parameter)
    {
        Assert.Equal(parameter, Assert.Throws<ArgumentOutOfRangeException>(() => Wrap(64, width, height, stride)).ParamName);
        var owner = new CountingOwner(100);
        Assert.Equal(parameter, Assert.Throws<ArgumentOutOfRangeException>(() => _allocator.Wrap<uint>(owner, width, height, stride)).ParamName);
        Assert.Equal((0, 0), (owner.Pins, owner.Disposals));
    }

    [Fact]
    public void Memory_that_is_none_is_refused()
    {
        Assert.Equal("address", Assert.Throws<ArgumentNullException>(() => Wrap(0, 1, 1, 4)).ParamName);
        Assert.Equal("owner", Assert.Throws<ArgumentNullException>(() => _allocator.Wrap<uint>((IMemoryOwner<byte>)null!, 1, 1, 4)).ParamName);
        Assert.Equal("memory", Assert.Throws<ArgumentException>(() => _allocator.Wrap<uint>(Memory<uint>.Empty, 1, 1)).ParamName);
    }

    [Fact]
    public void A_pin_without_an_address_is_refused_and_ended()
    {
        var owner = new CountingOwner(100) { PinsNothing = true };
        Assert.Throws<InvalidMemoryOperationException>(() => _allocator.Wrap<uint>(owner, 5, 5, 20));
        Assert.Throws<InvalidMemoryOperationException>(() => _allocator.Wrap<byte>(owner.Memory, 10, 10));
        Assert.Equal((0, 0), (owner.Pins, owner.Disposals));
    }

    [Theory]
    [InlineData(int.MaxValue, 1, int.MaxValue)]
    [InlineData(1, int.MaxValue, int.MaxValue)]
    [InlineData(1, int.MaxValue, int.MinValue)]
    public void Images_that_no_memory_holds_are_refused(int width, int height, int stride)
    {
        Assert.Throws<InvalidMemoryOperationException>(() => Wrap(64, width, height, stride));
        Assert.Throws<InvalidMemoryOperationException>(() => Wrap(-64, width, height, stride));
    }

    [Fact]
    public void Images_that_leave_the_address_space_are_refused()
    {
        Assert.Throws<InvalidMemoryOperationException>(() => Wrap(-64, 16, 2, 64));
        Assert.Throws<InvalidMemoryOperationException>(() => Wrap(64, 16, 3, -64));
    }

    [Theory]
    [InlineData(11, 64)]
    [InlineData(6, 44)]
    public void Memory_that_is_too_short_is_refused(int height, int stride)
    {
        int bytes = (stride * (height - 1)) + 44;
        var owner = new CountingOwner(bytes - 1);
        ArgumentException error = Assert.Throws<ArgumentException>(() => _allocator.Wrap<uint>(owner, 11, height, stride));
        Assert.Equal("owner", error.ParamName);
        Assert.Contains($"at least {bytes}", error.Message, StringComparison.Ordinal);
        Assert.Equal((0, 0), (owner.Pins, owner.Disposals));
        Assert.Equal("memory", Assert.Throws<ArgumentException>(() => _allocator.Wrap<uint>(new uint[109], 11, 10)).ParamName);
        _allocator.Wrap<uint>(new CountingOwner(bytes), 11, height, stride).Dispose();
    }

    [Fact]
    public void Many_rows_of_an_array_are_fine() => _allocator.Wrap<byte>(new byte[100_000], 1, 100_000).Dispose();

    [Fact]
    public void Rows_of_an_owner_begin_with_the_first()
    {
        var owner = new CountingOwner(200);
        Assert.Equal("strideBytes", Assert.Throws<ArgumentOutOfRangeException>(() => _allocator.Wrap<uint>(owner, 2, 2, -8)).ParamName);
    }

    [Fact]
    public void An_owner_that_fails_keeps_its_memory()
    {
        var owner = new CountingOwner(200) { RefusesPins = true };
        Assert.Throws<NotSupportedException>(() => _allocator.Wrap<uint>(owner, 2, 2, 8));
        Assert.Equal(0, owner.Disposals);
    }

    [Fact]
    public void What_is_refused_stays_whose_it_is()
    {
        var owner = new CountingOwner(2000);
        Assert.Throws<PixelBudgetExceededException>(() => _allocator.Wrap<uint>(owner, 250, 2, 1000, charge: true));
        Assert.Throws<PixelBudgetExceededException>(() => _allocator.Wrap<uint>(64, 250, 2, 1000, _ => _releases++, charge: true));
        _allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Wrap(64, 1, 1, 4));
        Assert.Throws<ObjectDisposedException>(() => _allocator.Wrap<uint>(owner, 2, 2, 8));
        Assert.Equal((0, 0), (owner.Pins, owner.Disposals));
    }

    [Fact]
    public void A_clock_that_fails_keeps_nothing_from_being_wrapped()
    {
        using PixelAllocator allocator = _system.CreateAllocator(configure: static options =>
        {
            options.LeakTracking = LeakTracking.Full;
            options.TimeProvider = new BrokenClock();
            options.MaxRentedBytes = 1000;
        });
        var owner = new CountingOwner(2000);
        allocator.Wrap<uint>(owner, 2, 2, 8, charge: true).Dispose();
        int releases = 0;
        allocator.Wrap<uint>(64, 2, 2, 8, _ => releases++, charge: true).Dispose();
        Assert.Equal((0, 1, 1), (owner.Pins, owner.Disposals, releases));
        Assert.Equal((0L, 0L, 0), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().ExternalBytes, allocator.GetOutstandingRents().Count));
    }

    private PixelBuffer<uint> Wrap(nint address, int width, int height, int stride) =>
        _allocator.Wrap<uint>(address, width, height, stride, _ => _releases++);

    private sealed class BrokenClock : TimeProvider
    {
        public override long GetTimestamp() => throw new NotSupportedException("It stands.");
    }
}
