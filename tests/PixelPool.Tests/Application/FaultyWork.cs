using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Threading;

namespace PixelPool.Tests.Application;

/// <summary>What an application does with an allocator, each step beside what it supplies and may throw; and what must hold when all of it is done.</summary>
internal sealed class FaultyWork
{
    private const int Block = TestSystem.BlockBytes;
    private const int BudgetBlocks = 8;

    private readonly ApplicationFault _fault;
    private readonly TestSystem _system = new(divisible: true);
    private readonly FaultyMemoryPressure _pressure;
    private readonly PixelAllocatorOptions _options;

    public FaultyWork(ApplicationFault fault, SmallBufferStrategy smallBuffers, LeakTracking leakTracking)
    {
        _fault = fault;
        _pressure = new FaultyMemoryPressure(fault);
        if (fault.Kind == ApplicationFaultKind.LeavesInterrupt)
        {
            // The system is not the application's, and throws nothing; a thread can be interrupted meanwhile.
            _system.Source.OnAllocate = _ => fault.Call("allocation");
            _system.Source.OnFree = _ => fault.Call("free");
            _system.Source.OnDiscard = _ => fault.Call("discard");
        }

        _options = _system.Options(configure: options =>
        {
            options.TimeProvider = new FaultyTime(fault, _system.Time);
            options.ArrayPool = new FaultyArrayPool(fault);
            options.MemoryPressure = _pressure;
            options.MaxPooledBytes = smallBuffers == SmallBufferStrategy.Slab ? null : 6 * Block;
            options.MaxRentedBytes = BudgetBlocks * Block;
            options.RentTimeout = TimeSpan.FromSeconds(1);
            options.TrimPolicy = TrimPolicy.Demand;
            options.SmallBuffers = smallBuffers;
            options.LeakTracking = leakTracking;
        });
    }

    public void Do()
    {
        PixelAllocator? created = null;
        Step(() => created = PixelAllocator.Create(_options));
        if (created is not { } allocator)
        {
            // It said so. Another one is not disturbed.
            allocator = PixelAllocator.Create(_options);
        }

        RentEverything(allocator);
        Process(allocator);
        Pin(allocator);
        Write(allocator);
        AllocateObjects(allocator);
        Wait(allocator);
        Trim(allocator);
        Step(() => allocator.GetOutstandingRents());
        CheckAccounts(allocator);
        CheckThatItStillWorks(allocator);
        Step(allocator.Dispose);
        allocator.Dispose();
        CheckAccounts(allocator);
        _system.Source.AssertAllFreed();
        _system.Dispose();
    }

    private static void Step(Action action)
    {
        try
        {
            action();
        }
        catch (ApplicationFaultException)
        {
        }
        catch (ThreadInterruptedException)
        {
        }
        catch (AggregateException e) when (e.InnerExceptions.All(static inner => inner is ApplicationFaultException or ThreadInterruptedException))
        {
        }

        PendingInterrupt.Take();
    }

    private static void RentEverything(PixelAllocator allocator)
    {
        foreach ((int width, int height, AllocationOptions options) in new[]
        {
            (30, 100, AllocationOptions.None),
            (Block, 1, AllocationOptions.None),
            (Block, 3, AllocationOptions.Clean),
            (Block, 3, AllocationOptions.Contiguous),
            (Block, 7, AllocationOptions.None),
        })
        {
            Step(() => allocator.Rent<byte>(width, height, options).Dispose());
            Step(() => allocator.Lease<byte>(width, height, options).Dispose());
            Step(() => allocator.Allocate<byte>(width * height).Dispose());
            Step(() =>
            {
                using var scope = new RentScope(allocator);
                scope.Rent<byte>(width, height, options);
                scope.Rent<byte>(10, 10).View(0, 0, 1, 1).Dispose();
            });
            Step(() =>
            {
                using RentScope scope = allocator.ReserveScope(8 * Block);
                scope.Rent<byte>(width, height, options);
                scope.ChargeExternal(Block);
            });
        }
    }

    private void Process(PixelAllocator allocator)
    {
        foreach (int height in new[] { 20, 200 })
        {
            Step(() =>
            {
                using PixelBuffer<byte> image = allocator.Rent<byte>(100, height);
                using PixelBuffer<byte> other = allocator.Rent<byte>(100, height);
                Step(() => image.ProcessPixelRows(_ => _fault.Call("delegate")));
                Step(() => image.ProcessPixelRows(1, (_, _) => _fault.Call("delegate")));
                Step(() => image.ProcessPixelRows(other, (_, _) => _fault.Call("delegate")));
                Step(() => image.ProcessPixelRows(other, image, (_, _, _) => _fault.Call("delegate")));
                Step(() => image.ProcessPixelRowsInParallel(_ => _fault.Call("delegate"), maxDegreeOfParallelism: 1));
                Step(() => image.TryProcessSinglePixelSpan(_ => _fault.Call("delegate")));
                Step(() => image.WriteTo(new FaultyStream(_fault)));
                Step(() => image.ReadFrom(new FaultyStream(_fault)));
            });
        }
    }

    private static void Pin(PixelAllocator allocator)
    {
        foreach (int height in new[] { 20, 200 })
        {
            Step(() =>
            {
                using PixelBuffer<byte> image = allocator.Rent<byte>(100, height);
                Step(() => image.Pin().Dispose());
                Step(() => image.AsLease().Dispose());
                Step(() =>
                {
                    using PinnedPixels pixels = image.Pin();
                    pixels.GiveToNative().Release();
                });
            });
        }
    }

    private static void Write(PixelAllocator allocator)
    {
        Step(() => WriteTo(new PixelPoolStream(allocator)));
        Step(() =>
        {
            using var scope = new RentScope(allocator);
            WriteTo(new PixelPoolStream(scope));
        });
    }

    private static void WriteTo(PixelPoolStream stream)
    {
        using (stream)
        {
            Step(() => stream.Write(new byte[Block + 100], 0, Block + 100));
            Step(() => stream.GetMemory(Block));
            Step(() => stream.SetLength(3 * Block));
            Step(() => stream.SetLength(10));
        }
    }

    // So many that a block is taken while the budget is full: it waits.
    private static unsafe void AllocateObjects(PixelAllocator allocator)
    {
        Step(() =>
        {
            using var objects = new FixedBlockAllocator<decimal>(allocator, checksFrees: true);
            nint first = 0;
            Step(() => first = (nint)objects.Allocate());
            PixelBuffer<byte>? held = null;
            Step(() => held = allocator.Rent<byte>(Block, BudgetBlocks - 1));
            try
            {
                for (int i = 0; i <= Block / sizeof(decimal); i++)
                {
                    objects.Allocate();
                }
            }
            catch (PixelBudgetExceededException)
            {
            }
            finally
            {
                Step(() => held?.Dispose());
            }

            Step(() => objects.Free((decimal*)first));
        });
    }

    private void Wait(PixelAllocator allocator)
    {
        PixelBuffer<byte>? held = null;
        Step(() => held = allocator.Rent<byte>(Block, BudgetBlocks));
        if (held is null)
        {
            return;
        }

        // Timers of this clock with a due time fire at once.
        Assert.True(Record.Exception(() => allocator.Rent<byte>(Block, 1)) is PixelBudgetExceededException or ApplicationFaultException or ThreadInterruptedException);
        PendingInterrupt.Take();
        Step(() => allocator.TryRent<byte>(Block, 1, out _));
        using var cancellation = new CancellationTokenSource();
        Task<PixelBuffer<byte>>? cancelled = null;
        Task<PixelBuffer<byte>>? granted = null;
        Task<RentScope>? reserved = null;
        Step(() => cancelled = allocator.RentAsync<byte>(Block, 2, cancellationToken: cancellation.Token).AsTask());
        Step(() => granted = allocator.RentAsync<byte>(Block, 1).AsTask());
        Step(() => reserved = allocator.ReserveScopeAsync(Block).AsTask());
        cancellation.Cancel();
        _system.Time.Advance(TimeSpan.FromSeconds(3));
        PendingInterrupt.Take();
        Step(held.Dispose);
        End(cancelled);
        End(granted);
        End(reserved);
    }

    private static void End<T>(Task<T>? task)
        where T : IDisposable
    {
        if (task is not null)
        {
            Assert.Equal(0, Task.WaitAny([task], TimeSpan.FromMinutes(1)));
            Assert.True(task.IsCanceled || task.IsCompletedSuccessfully || task.Exception!.InnerException is ApplicationFaultException or ThreadInterruptedException, $"{task.Exception}");
            if (task.IsCompletedSuccessfully)
            {
                Step(task.Result.Dispose);
            }
        }
    }

    // Timers run on this thread: what leaves them would end the process.
    private void Trim(PixelAllocator allocator)
    {
        _pressure.High = true;
        _system.Time.Advance(TimeSpan.FromSeconds(6));
        _pressure.High = false;
        Step(() => allocator.Rent<byte>(Block, 2).Dispose());
        _system.Time.Advance(TimeSpan.FromSeconds(60));
        PendingInterrupt.Take();
        Step(() => allocator.Trim());
        Step(() => allocator.GetStatistics());
    }

    private void CheckAccounts(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((0L, 0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.ExternalBytes, statistics.WaitingRents));
        Assert.Equal(_system.Source.LiveBytes, statistics.IdleBytes);
        _system.Source.AssertNoMisuse();
    }

    private void CheckThatItStillWorks(PixelAllocator allocator)
    {
        bool thrownBefore = _fault.Thrown is not null;
        Step(() => allocator.Rent<byte>(Block, 5).Dispose());
        Step(() => allocator.Rent<byte>(100, 10).Dispose());
        if (!thrownBefore && _fault.Thrown is null)
        {
            return;
        }

        // A timer that failed is armed by the next return.
        _fault.IsHealed = true;
        allocator.Rent<byte>(Block, 1).Dispose();
        _system.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        allocator.Rent<byte>(Block, 6).Dispose();
        _system.Time.Advance(TimeSpan.FromSeconds(60));
        Assert.Equal(0, allocator.GetStatistics().IdleBytes);
        CheckAccounts(allocator);
        _fault.IsHealed = false;
    }
}
