using System.Buffers;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse;

/// <summary>Sizes and budgets that make no sense, through everything that takes one: a documented exception, no account has changed, and no sum has overflowed.</summary>
public sealed class AbsurdSizeTests
{
    private const int Block = TestSystem.BlockBytes;

    // Everything that rents by width and height, or by their product.
    private static readonly Dictionary<string, Action<PixelAllocator, RentScope, int, int>> s_rents = new()
    {
        ["Rent"] = static (allocator, _, width, height) => allocator.Rent<uint>(width, height).Dispose(),
        ["Rent, contiguous"] = static (allocator, _, width, height) => allocator.Rent<uint>(width, height, AllocationOptions.Contiguous).Dispose(),
        ["TryRent"] = static (allocator, _, width, height) => AssertRefused(allocator.TryRent(width, height, out PixelBuffer<uint>? image), image),
        ["RentAsync"] = static (allocator, _, width, height) => Wait(allocator.RentAsync<uint>(width, height)),
        ["Lease"] = static (allocator, _, width, height) => allocator.Lease<uint>(width, height).Dispose(),
        ["TryLease"] = static (allocator, _, width, height) =>
        {
            bool leased = allocator.TryLease(width, height, out PixelLease<uint> lease);
            AssertRefused(leased, leased ? lease : null);
        },
        ["LeaseAsync"] = static (allocator, _, width, height) => Wait(allocator.LeaseAsync<uint>(width, height)),
        ["Rent of a scope"] = static (_, scope, width, height) => scope.Rent<uint>(width, height),
        ["TryRent of a scope"] = static (_, scope, width, height) => AssertRefused(scope.TryRent(width, height, out PixelBuffer<uint>? image), image),
        ["RentAsync of a scope"] = static (_, scope, width, height) => Wait(scope.RentAsync<uint>(width, height)),
        ["Lease of a scope"] = static (_, scope, width, height) => scope.Lease<uint>(width, height),
        ["LeaseAsync of a scope"] = static (_, scope, width, height) => Wait(scope.LeaseAsync<uint>(width, height)),
    };

    private static readonly Dictionary<string, Action<PixelAllocator, RentScope, int>> s_allocations = new()
    {
        ["Allocate"] = static (allocator, _, length) => allocator.Allocate<Huge>(length).Dispose(),
        ["TryAllocate"] = static (allocator, _, length) => AssertRefused(allocator.TryAllocate(length, out IMemoryOwner<Huge>? owner), owner),
        ["AllocateAsync"] = static (allocator, _, length) => Wait(allocator.AllocateAsync<Huge>(length)),
        ["AllocateStructs"] = static (allocator, _, length) => allocator.AllocateStructs<Huge>(length).Dispose(),
        ["Allocate of a scope"] = static (_, scope, length) => scope.Allocate<Huge>(length),
        ["TryAllocate of a scope"] = static (_, scope, length) => AssertRefused(scope.TryAllocate(length, out IMemoryOwner<Huge>? owner), owner),
        ["AllocateAsync of a scope"] = static (_, scope, length) => Wait(scope.AllocateAsync<Huge>(length)),
        ["AllocateStructs of a scope"] = static (_, scope, length) => scope.AllocateStructs<Huge>(length),
    };

    private static readonly Dictionary<string, Action<PixelAllocator, RentScope, long>> s_charges = new()
    {
        ["ChargeExternal"] = static (allocator, _, bytes) => allocator.ChargeExternal(bytes).Dispose(),
        ["ReserveScope"] = static (allocator, _, bytes) => allocator.ReserveScope(bytes).Dispose(),
        ["ReserveScopeAsync"] = static (allocator, _, bytes) => Wait(allocator.ReserveScopeAsync(bytes)),
        ["ChargeExternal of a scope"] = static (_, scope, bytes) => scope.ChargeExternal(bytes),
        ["ReserveScope of a scope"] = static (_, scope, bytes) => scope.ReserveScope(bytes),
        ["ReserveScopeAsync of a scope"] = static (_, scope, bytes) => Wait(scope.ReserveScopeAsync(bytes)),
    };

    public static TheoryData<long> Budgets => [4L * Block, 1L << 40, (1L << 62) - 1, 1L << 62, long.MaxValue - 1, long.MaxValue];

    [Theory]
    [InlineData(0, 1, "width")]
    [InlineData(int.MinValue, 1, "width")]
    [InlineData(-1, -1, "width")]
    [InlineData(1, 0, "height")]
    [InlineData(1, int.MinValue, "height")]
    [InlineData(int.MaxValue, -1, "height")]
    public void Images_without_pixels(int width, int height, string parameter) => AssertUnchanged((allocator, scope) =>
    {
        foreach (Action<PixelAllocator, RentScope, int, int> rent in s_rents.Values)
        {
            Assert.Throws<ArgumentOutOfRangeException>(parameter, () => rent(allocator, scope, width, height));
        }

        Assert.Throws<ArgumentOutOfRangeException>(parameter, () => allocator.GetHeldBytes<uint>(width, height));
    });

    [Theory]
    [InlineData(int.MaxValue, 1)]
    [InlineData(1 << 29, 1)]
    [InlineData(int.MaxValue, int.MaxValue)]
    [InlineData(1 << 28, int.MaxValue)]
    [InlineData(1 << 14, int.MaxValue)]
    public void Images_that_no_process_can_address(int width, int height) => AssertUnchanged((allocator, scope) =>
    {
        foreach (Action<PixelAllocator, RentScope, int, int> rent in s_rents.Values)
        {
            Assert.Throws<InvalidMemoryOperationException>(() => rent(allocator, scope, width, height));
        }

        Assert.Throws<InvalidMemoryOperationException>(() => allocator.GetHeldBytes<uint>(width, height));
    });

    [Theory]
    [InlineData((1 << 29) - 1, 1)]
    [InlineData(1, int.MaxValue)]
    [InlineData(1 << 20, 1 << 20)]
    [InlineData((1 << 29) - 1, 1 << 14)]
    public void Images_over_every_budget(int width, int height) => AssertUnchanged((allocator, scope) =>
    {
        foreach ((string name, Action<PixelAllocator, RentScope, int, int> rent) in s_rents)
        {
            Exception? thrown = Record.Exception(() => rent(allocator, scope, width, height));
            Assert.True(thrown is PixelBudgetExceededException || (thrown is null && name.StartsWith("Try", StringComparison.Ordinal)), $"{name}: {thrown}");
        }

        Assert.True(allocator.GetHeldBytes<uint>(width, height) >= 4L * width * height);
    });

    [Fact]
    public void Elements_less_than_none_or_more_than_can_be_addressed() => AssertUnchanged((allocator, scope) =>
    {
        foreach (Action<PixelAllocator, RentScope, int> allocate in s_allocations.Values)
        {
            Assert.Throws<ArgumentOutOfRangeException>("length", () => allocate(allocator, scope, -1));
            Assert.Throws<ArgumentOutOfRangeException>("length", () => allocate(allocator, scope, int.MinValue));
            Assert.Throws<InvalidMemoryOperationException>(() => allocate(allocator, scope, int.MaxValue));
        }

        using MemoryPool<byte> pool = allocator.AsMemoryPool();
        Assert.Throws<ArgumentOutOfRangeException>("minBufferSize", () => pool.Rent(int.MinValue));
        Assert.Throws<PixelBudgetExceededException>(() => pool.Rent(int.MaxValue));
    });

    [Fact]
    public void Charges_that_are_none() => AssertUnchanged((allocator, scope) =>
    {
        foreach (long bytes in (long[])[0, -1, long.MinValue, long.MinValue + 1])
        {
            foreach (Action<PixelAllocator, RentScope, long> charge in s_charges.Values)
            {
                Assert.Throws<ArgumentOutOfRangeException>("bytes", () => charge(allocator, scope, bytes));
            }

            Assert.Throws<ArgumentOutOfRangeException>("maxBytes", () => allocator.CreateScope(bytes));
            Assert.Throws<ArgumentOutOfRangeException>("maxBytes", () => scope.CreateScope(bytes));
        }
    });

    [Fact]
    public void Charges_over_every_budget() => AssertUnchanged((allocator, scope) =>
    {
        foreach (long bytes in (long[])[(16L * Block) + 1, 1L << 40, (1L << 62) - 1, 1L << 62, (1L << 62) + 1, long.MaxValue - 1, long.MaxValue])
        {
            foreach (Action<PixelAllocator, RentScope, long> charge in s_charges.Values)
            {
                Assert.Throws<PixelBudgetExceededException>(() => charge(allocator, scope, bytes));
            }
        }
    });

    /// <summary>A budget of any size is filled, and never passed, by charges whose sum would be more than 2⁶³.</summary>
    [Theory]
    [MemberData(nameof(Budgets))]
    public void Sums_of_charges_do_not_overflow(long budget)
    {
        using var system = new MisusedAllocator(configure: options => options.MaxRentedBytes = budget);
        using (RentScope scope = system.Allocator.CreateScope(long.MaxValue))
        {
            long most = Math.Min(budget, (1L << 62) - 1);
            ExternalCharge charge = scope.ChargeExternal(most - Block);
            Assert.Equal((most - Block, most - Block), (system.Statistics.ChargedBytes, system.Statistics.ExternalBytes));
            charge.Dispose();
            scope.ReserveScope(most - Block);
            foreach (long bytes in (long[])[Block + 1, most, long.MaxValue - Block, long.MaxValue])
            {
                Assert.Throws<PixelBudgetExceededException>(() => scope.ChargeExternal(bytes));
                Assert.Throws<PixelBudgetExceededException>(() => system.Allocator.ReserveScope(bytes));
            }

            scope.Rent<byte>(Block, 1);
            Assert.Equal(most, system.Statistics.ChargedBytes);
            Assert.False(scope.TryRent(1, 1, out PixelBuffer<byte>? _));
        }

        system.AssertNothingHeld();
    }

    [Fact]
    public void Sums_without_a_budget_do_not_overflow()
    {
        using var system = new MisusedAllocator(configure: static options => options.MaxRentedBytes = null);
        using (var scope = new RentScope(system.Allocator))
        {
            scope.ChargeExternal(1L << 62);
            using (scope.ChargeExternal((1L << 62) - 1))
            {
                Assert.Equal(long.MaxValue, system.Statistics.ExternalBytes);
                foreach (long bytes in (long[])[1, 1L << 62, long.MaxValue])
                {
                    Assert.Throws<InvalidMemoryOperationException>(() => scope.ChargeExternal(bytes));
                    Assert.Throws<InvalidMemoryOperationException>(() => system.Allocator.ChargeExternal(bytes));
                }

                for (int i = 0; i < 3; i++)
                {
                    scope.ReserveScope(long.MaxValue);
                }

                // Whoever is refused is told who holds something of the same budget. All together is more than a long holds.
                using RentScope small = system.Allocator.CreateScope(1 << 20);
                small.Rent<byte>(1 << 19, 1);
                string message = Assert.Throws<PixelBudgetExceededException>(() => small.Rent<byte>(1 << 20, 1)).Message;
                Assert.Contains("in 1 rent", message, StringComparison.Ordinal);
                Assert.Equal(long.MaxValue, system.Allocator.GetOutstandingRents().SumBytes());

                Assert.Equal(long.MaxValue, system.Statistics.ExternalBytes);
            }

            Assert.Equal(1L << 62, system.Statistics.ExternalBytes);
        }

        system.AssertQuiet();
    }

    [Fact]
    public void A_pool_that_may_hold_everything()
    {
        using var system = new MisusedAllocator(configure: static options =>
        {
            options.MaxPooledBytes = long.MaxValue;
            options.MaxRentedBytes = long.MaxValue;
            options.SmallBufferThresholdBytes = int.MaxValue;
        });
        system.Allocator.Rent<byte>(1000, 1000).Dispose();
        Assert.Equal(0, system.Allocator.TrimTo(long.MaxValue));
        Assert.InRange(system.Allocator.Trim(), 1, long.MaxValue);
        using (UniformUnmanagedMemoryPool pool = system.System.CreatePool(configure: static options => options.MaxPooledBytes = long.MaxValue))
        {
            Assert.InRange(pool.MaxPooledBytes, 1L << 40, long.MaxValue);
            pool.Return(pool.Rent(3));
            pool.Return([]);
            Assert.True(pool.TryRent([]));
        }

        system.AssertNothingHeld();
    }

    [Fact]
    public void A_pool_that_may_hold_nothing()
    {
        using TestSystem system = new();
        using UniformUnmanagedMemoryPool pool = system.CreatePool(capacityInBlocks: 0);
        Assert.False(pool.TryRent(new nint[1]));
        Assert.False(pool.TryRent(new nint[100_000]));
        Assert.True(pool.TryRent([]));
        StatisticsAssert.Blocks(pool, rented: 0, idle: 0);
        Assert.Equal(0, system.Source.Attempts);
    }

    /// <summary>With a system that has nothing left, so that no test takes a machine's memory.</summary>
    [Fact]
    public void Streams_that_no_memory_holds()
    {
        using TestSystem system = TestSystem.Alone();
        system.Source.MaxLiveBytes = 4 * Block;
        using PixelAllocator allocator = system.CreateAllocator();
        using (var stream = new PixelPoolStream(allocator))
        {
            stream.WriteByte(5);
            foreach (long position in (long[])[long.MaxValue, long.MaxValue - 1, 1L << 62, 1L << 46])
            {
                stream.Position = position;
                Assert.Throws<InvalidMemoryOperationException>(() => stream.WriteByte(1));
                Assert.Throws<InvalidMemoryOperationException>(() => stream.Write(new byte[2], 0, 2));
                Assert.Throws<InvalidMemoryOperationException>(() => stream.GetMemory());
                Assert.Throws<InvalidMemoryOperationException>(() => stream.SetLength(position));
                Assert.Throws<InvalidMemoryOperationException>(() => new PixelPoolStream(allocator, position));
                Assert.Equal((-1, 0, position, 1L), (stream.ReadByte(), stream.Read(new byte[9], 0, 9), stream.Position, stream.Length));
                Assert.Throws<IOException>(() => stream.Seek(long.MaxValue, SeekOrigin.Current));
                Assert.Throws<IOException>(() => stream.Seek(long.MinValue, SeekOrigin.Current));
            }

            stream.Position = 1;
            Assert.Throws<OutOfMemoryException>(() => stream.GetMemory(int.MaxValue));
            Assert.Throws<OutOfMemoryException>(() => stream.SetLength(1L << 30));
            Assert.Throws<OutOfMemoryException>(() => new PixelPoolStream(allocator, 1L << 30));
            Assert.Equal([5], stream.ToArray());
        }

        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal(0, statistics.RentedBytes);
    }

    /// <summary>The one stride that has no positive counterpart.</summary>
    [Theory]
    [InlineData(int.MinValue)]
    [InlineData(int.MinValue + 1)]
    [InlineData(int.MaxValue)]
    public async Task One_row_with_the_longest_stride(int stride)
    {
        using var system = new MisusedAllocator();
        byte[] pixels = GC.AllocateArray<byte>(64, pinned: true);
        using (PixelBuffer<byte> image = Wrap(system.Allocator, pixels, stride))
        {
            byte[] source = [.. Enumerable.Range(1, 64).Select(static i => (byte)i)];
            CancellationToken token = TestContext.Current.CancellationToken;
            await image.ReadFromAsync(new MemoryStream(source), token);
            Assert.Equal(source, pixels);
            var written = new MemoryStream();
            await image.WriteToAsync(written, token);
            image.WriteTo(written);
            Assert.Equal([.. source, .. source], written.ToArray());
            Assert.Equal(source, image.AsReadOnlySequence().ToArray());
            image.CopyTo(written.GetBuffer().AsSpan(0, 64));
            using PixelBuffer<byte> clone = image.Clone();
            Assert.Equal(64, clone[63, 0]);
            Assert.Equal(stride, image.Stride);
            Assert.NotEmpty(image.ToString());
        }

        system.AssertQuiet();
    }

    private static unsafe PixelBuffer<byte> Wrap(PixelAllocator allocator, byte[] pinned, int stride)
    {
        fixed (byte* first = pinned)
        {
            return allocator.Wrap<byte>((nint)first, 64, 1, stride);
        }
    }

    private static void AssertUnchanged(Action<PixelAllocator, RentScope> fail)
    {
        using var system = new MisusedAllocator(configure: static options => options.MaxRentedBytes = 16L * Block);
        system.Allocator.Rent<byte>(1000, 200).Dispose();
        using (RentScope scope = system.Allocator.CreateScope(16L * Block))
        {
            PixelBuffer<byte> held = scope.Rent<byte>(200, 200);
            held.Fill(7);
            PixelPoolStatistics before = system.Statistics with { BudgetRefusals = 0 };
            fail(system.Allocator, scope);
            Assert.Equal(before, system.Statistics with { BudgetRefusals = 0 });
            Assert.Equal(7, held[199, 199]);

            // All of the budget is still there.
            scope.ChargeExternal(15L * Block).Dispose();
            scope.ReserveScope(15L * Block).Dispose();
        }

        system.AssertNothingHeld();
    }

    private static void AssertRefused(bool rented, object? handle)
    {
        Assert.False(rented);
        Assert.Null(handle);
    }

    private static void Wait<T>(ValueTask<T> request)
        where T : IDisposable => request.AsTask().GetAwaiter().GetResult().Dispose();

    // 2³¹ of them are 2⁴⁷ bytes.
    private unsafe struct Huge
    {
#pragma warning disable CS0169, CS0649, CA1823, IDE0044, IDE0051 // only its size matters
        private fixed byte _bytes[64 << 10];
#pragma warning restore CS0169, CS0649, CA1823, IDE0044, IDE0051
    }
}
