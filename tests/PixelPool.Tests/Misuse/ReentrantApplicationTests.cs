using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse;

/// <summary>
/// What an application supplies (array pools, clocks, timers, sources of pressure, streams, owners, release functions) comes back to the allocator from inside of a call: to rent and return, to
/// trim, to ask, to end the allocator. Nothing hangs, and nothing is lost.
/// </summary>
public sealed class ReentrantApplicationTests
{
    private const int Block = TestSystem.BlockBytes;
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromSeconds(60);

    private static readonly Dictionary<string, Action<PixelAllocator>> s_acts = new()
    {
        ["rents and returns"] = static allocator =>
        {
            allocator.Rent<byte>(100, 10).Dispose();
            allocator.Lease<byte>(1000, 100).Dispose();
            allocator.Rent<byte>(1000, 200, AllocationOptions.Contiguous).Dispose();
        },
        ["trims"] = static allocator => allocator.Trim(),
        ["asks"] = static allocator =>
        {
            allocator.GetStatistics();
            allocator.GetOutstandingRents();
            allocator.GetWaitingRents();
        },
        ["opens and closes scopes"] = static allocator =>
        {
            using RentScope scope = allocator.CreateScope(4 * Block);
            scope.ReserveScope(Block).Rent<byte>(10, 10);
        },
        ["ends the allocator"] = static allocator => allocator.Dispose(),
    };

    public static TheoryData<string> Acts => [.. s_acts.Keys];

    [Theory]
    [MemberData(nameof(Acts))]
    public void It_neither_hangs_nor_loses_anything(string act)
    {
        foreach (string caller in (string[])["array pool", "clock", "pressure"])
        {
            using var system = new TestSystem();
            var inside = new Reentrance();
            PixelAllocator allocator = PixelAllocator.Create(system.Options(CapacityInBlocks, options =>
            {
                options.ArrayPool = new ReentrantArrays(caller == "array pool" ? inside : null);
                options.TimeProvider = new ReentrantTime(system.Time, caller == "clock" ? inside : null);
                options.MemoryPressure = new ReentrantPressure(caller == "pressure" ? inside : null);
                options.MaxPooledBytes = null;
                options.MaxRentedBytes = 4L * CapacityInBlocks * Block;
                options.TrimPolicy = TrimPolicy.Demand;
                options.RentTimeout = TimeSpan.FromSeconds(1);
                options.LeakTracking = LeakTracking.Full;
            }));
            inside.Act = () => s_acts[act](allocator);
            Simultaneously.Run(1, s_timeLimit, _ => Work(allocator, system));
            Assert.True(inside.Calls > 0, $"The {caller} was not called.");
            inside.Act = null;
            allocator.Dispose();
            StatisticsAssert.Balanced(allocator.GetStatistics());
            Assert.Equal((0L, 0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().LeakedCount));
            system.Source.AssertAllFreed();
        }
    }

    [Theory]
    [MemberData(nameof(Acts))]
    public void Streams_and_owners_may_come_back(string act)
    {
        using var system = new MisusedAllocator();
        PixelAllocator allocator = system.Allocator;
        var inside = new Reentrance { Act = () => s_acts[act](allocator) };
        Simultaneously.Run(1, s_timeLimit, _ =>
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(1000, 200);
            image.Fill(3);
            var stream = new ReentrantStream(inside, image);
            image.WriteTo(stream);
            Assert.True(image.IsDisposed);

            // Those that came first are done; the rest is refused if the allocator has ended.
            Refusable(() =>
            {
                PixelBuffer<byte> next = allocator.Rent<byte>(1000, 200);
                next.ReadFrom(new ReentrantStream(inside, next));
            });
            Refusable(() =>
            {
                PixelBuffer<byte> next = allocator.Rent<byte>(1000, 200);
                next.WriteToAsync(new ReentrantStream(inside, next)).AsTask().GetAwaiter().GetResult();
            });
            Refusable(() =>
            {
                PixelBuffer<byte>? wrapped = null;
                wrapped = allocator.Wrap<byte>(new ReentrantOwner(inside, () => wrapped!.Dispose()), 10, 10, 10, charge: true);
                wrapped.Dispose();
            });
            Refusable(() =>
            {
                PixelBuffer<byte> given = allocator.Wrap<byte>(64, 10, 10, 10, _ => inside.Enter());
                NativePixels native = given.Pin().GiveToNative();
                given.Dispose();
                native.Release();
                native.Release();
            });
        });
        Assert.True(inside.Calls > 0);
        system.AssertNothingHeld();
    }

    private const int CapacityInBlocks = 16;

    private static void Work(PixelAllocator allocator, TestSystem system)
    {
        for (int round = 0; round < 3; round++)
        {
            foreach ((int width, int height) in new[] { (30, 30), (100, 30), (Block, 1), (Block, 3), (Block, CapacityInBlocks + 4) })
            {
                Refusable(() => allocator.Rent<byte>(width, height).Dispose());
                Refusable(() => allocator.Lease<byte>(width, height).Dispose());
                Refusable(() => allocator.Allocate<byte>(width * height).Dispose());
                Refusable(() =>
                {
                    using var scope = new RentScope(allocator);
                    scope.Rent<byte>(width, height).View(0, 0, 1, 1).Dispose();
                    scope.Rent<byte>(50, 50);
                });
            }

            Refusable(() => allocator.Rent<byte>(Block, (4 * CapacityInBlocks) + 1).Dispose());
            Refusable(() =>
            {
                // A wait that ends without room.
                using RentScope scope = allocator.ReserveScope((4L * CapacityInBlocks * Block) - 10);
                Refusable(() => allocator.Rent<byte>(Block, 2).Dispose());
            });
            system.Time.Advance(TimeSpan.FromSeconds(40));
            allocator.Trim();
        }
    }

    private static void Refusable(Action action)
    {
        try
        {
            action();
        }
        catch (Exception e) when (e is ObjectDisposedException or PixelBudgetExceededException)
        {
            // The allocator has ended, or it is full: nothing was rented.
        }
    }

    // Calls what it is told to, but not from inside of itself.
    private sealed class Reentrance
    {
        [ThreadStatic]
        private static bool s_isInside;

        private int _calls;

        public Action? Act { get; set; }

        public int Calls => Volatile.Read(ref _calls);

        public void Enter()
        {
            if (s_isInside || Act is not { } act)
            {
                return;
            }

            s_isInside = true;
            try
            {
                Interlocked.Increment(ref _calls);
                Refusable(act);
            }
            finally
            {
                s_isInside = false;
            }
        }
    }

    private sealed class ReentrantArrays(Reentrance? inside) : ArrayPool<byte>
    {
        private readonly RecyclingArrayPool _arrays = new();

        public override byte[] Rent(int minimumLength)
        {
            inside?.Enter();
            return _arrays.Rent(minimumLength);
        }

        public override void Return(byte[] array, bool clearArray = false)
        {
            _arrays.Return(array, clearArray);
            inside?.Enter();
        }
    }

    private sealed class ReentrantTime(ManualTime time, Reentrance? inside) : TimeProvider
    {
        public override long TimestampFrequency => time.TimestampFrequency;

        public override long GetTimestamp()
        {
            inside?.Enter();
            return time.GetTimestamp();
        }

        public override DateTimeOffset GetUtcNow() => time.GetUtcNow();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            inside?.Enter();
            return time.CreateTimer(callback, state, dueTime, period);
        }
    }

    private sealed class ReentrantPressure(Reentrance? inside) : MemoryPressureSource
    {
        public override long GetAvailableBytes()
        {
            inside?.Enter();
            return 1L << 30;
        }

        public override bool IsHigh()
        {
            inside?.Enter();
            return false;
        }
    }

    // Ends the image that is written or read.
    private sealed class ReentrantStream(Reentrance inside, PixelBuffer<byte> image) : MemoryStream
    {
        public override void Write(ReadOnlySpan<byte> buffer) => Write(buffer.ToArray(), 0, buffer.Length);

        public override void Write(byte[] buffer, int offset, int count)
        {
            image.Dispose();
            inside.Enter();
            base.Write(buffer, offset, count);
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            image.Dispose();
            inside.Enter();
            return base.WriteAsync(buffer, cancellationToken);
        }

        public override int Read(Span<byte> buffer)
        {
            image.Dispose();
            inside.Enter();
            buffer.Fill(5);
            return buffer.Length;
        }

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));
    }

    private sealed class ReentrantOwner(Reentrance inside, Action end) : IMemoryOwner<byte>
    {
        public Memory<byte> Memory { get; } = new byte[100];

        public void Dispose()
        {
            end();
            inside.Enter();
        }
    }
}
