using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Stress;

/// <summary>One thread of a stress run: random operations, of which it knows what must come out.</summary>
internal sealed class StressWorker(StressRun run, int seed)
{
    private const int MaxImages = 6;

    // Of one thread.
    private const int MostSteps = 2000;

    private readonly Random _random = new(seed);
    private readonly List<StressImage> _images = [];

    public long Operations { get; private set; }

    public long OutOfMemory { get; private set; }

    public long OverBudget { get; private set; }

    /// <summary>Works until the run is over, on one thread after the other.</summary>
    public void Work()
    {
        while (!run.IsOver)
        {
            int steps = _random.Next(1, MostSteps);
            Simultaneously.Run(1, _ => Work(steps));
        }

        foreach (StressImage image in _images)
        {
            image.VerifyAndReturn();
        }

        _images.Clear();
    }

    private void Work(int steps)
    {
        for (; steps != 0 && !run.IsOver; steps--)
        {
            try
            {
                Step();
            }
            catch (OutOfMemoryException)
            {
                OutOfMemory++;
            }
            catch (PixelBudgetExceededException)
            {
                OverBudget++;
            }

            Operations++;
        }
    }

    private void Step()
    {
        int choice = _random.Next(1000);
        if (choice < 400 || _images.Count == 0)
        {
            RentOne();
        }
        else if (choice < 600)
        {
            TakeOne().VerifyAndReturn();
        }
        else if (choice < 680)
        {
            run.HandedOver.Enqueue(TakeOne());
        }
        else if (choice < 760)
        {
            TakeOver();
        }
        else if (choice < 800)
        {
            _images[_random.Next(_images.Count)].BecomeView();
        }
        else if (choice < 840)
        {
            ReturnUnderPin();
        }
        else if (choice < 870)
        {
            TakeOne().ReturnInside();
        }
        else if (choice < 900)
        {
            ReturnBesideOthers();
        }
        else if (choice < 920)
        {
            Leak();
        }
        else if (choice < 950)
        {
            UseOwner();
        }
        else if (choice < 970)
        {
            UseScope();
        }
        else
        {
            Disturb(choice);
        }
    }

    private void RentOne()
    {
        if (_images.Count == MaxImages)
        {
            TakeOne().VerifyAndReturn();
        }

        (int width, int height, AllocationOptions options) = _random.Next(8) switch
        {
            0 or 1 => (_random.Next(1, 64), _random.Next(1, 100), AllocationOptions.None),
            2 or 3 => (128, _random.Next(65, 129), AllocationOptions.None),
            4 or 5 => (_random.Next(100, 300), _random.Next(100, 600), AllocationOptions.None),
            6 => (256, _random.Next(65, 300), AllocationOptions.Contiguous),
            _ => (_random.Next(StressRun.BlockBytes / 4, StressRun.BlockBytes), _random.Next(1, 4), AllocationOptions.None),
        };
        if (run.PrefersRuns && _random.Next(2) == 0)
        {
            (width, height, options) = (256, _random.Next(65, _random.Next(2) == 0 ? 64 * 5 : 64 * 20), AllocationOptions.Contiguous);
        }

        if (_random.Next(200) == 0)
        {
            // More than the pool ever holds.
            (width, height) = (1024, 16 * (StressRun.CapacityBlocks + 1));
        }

        if (_random.Next(8) == 0)
        {
            options |= AllocationOptions.Clean;
        }

        if (!run.Allocator.TryRent(width, height, out PixelBuffer<uint>? buffer, options))
        {
            OverBudget++;
            MakeRoom();
            return;
        }

        if ((options & AllocationOptions.Clean) != 0)
        {
            AssertClean(buffer);
        }

        _images.Add(new StressImage(buffer, run.NextCookie()));
    }

    // What is rented may all belong to others, or to nobody: leaks come back when garbage is collected.
    private void MakeRoom()
    {
        if (_images.Count != 0)
        {
            TakeOne().VerifyAndReturn();
        }
        else if (run.HandedOver.IsEmpty && _random.Next(100) == 0)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        else
        {
            TakeOver();
        }
    }

    private static void AssertClean(PixelBuffer<uint> buffer) => buffer.ProcessPixelRows(0, static (rows, _) =>
    {
        foreach (Span<uint> row in rows)
        {
            if (row.ContainsAnyExcept(0u))
            {
                throw new InvalidOperationException("Clean memory is not clean.");
            }
        }
    });

    private StressImage TakeOne()
    {
        int index = _random.Next(_images.Count);
        StressImage image = _images[index];
        _images.RemoveAt(index);
        return image;
    }

    private void TakeOver()
    {
        if (run.HandedOver.TryDequeue(out StressImage? image))
        {
            image.VerifyAndReturn();
        }
    }

    private void ReturnUnderPin()
    {
        StressImage image = TakeOne();
        if (image.CanBePinned)
        {
            image.ReturnUnderPin();
        }
        else
        {
            image.VerifyAndReturn();
        }
    }

    private void ReturnBesideOthers()
    {
        StressImage image = TakeOne();
        Task returning = Task.Run(image.ReturnElsewhere());
        image.VerifyUnlessReturned();
        image.VerifyUnlessReturned();
        returning.Wait();
    }

    // Dropped: all that is left of it is what the finalizer of its guard knows.
    private void Leak()
    {
        TakeOne().Verify();
        run.CountLeak();
    }

    private void UseOwner()
    {
        using IMemoryOwner<uint> owner = run.Allocator.Allocate<uint>(_random.Next(1, (run.PrefersRuns ? 12 : 3) * StressRun.BlockBytes / 4));
        uint cookie = run.NextCookie();
        owner.Memory.Span[0] = cookie;
        using MemoryHandle pin = owner.Memory.Pin();
        owner.Memory.Span[^1] = cookie;
        Thread.Yield();
        Check(owner.Memory.Span[0] == cookie && owner.Memory.Span[^1] == cookie);
    }

    private void UseScope()
    {
        try
        {
            using var scope = new RentScope(run.Allocator);
            var first = new StressImage(scope.Rent<uint>(128, 100), run.NextCookie());
            var second = new StressImage(scope.Rent<uint>(300, 300), run.NextCookie());
            first.Verify();
            second.Verify();
            throw new InvalidTimeZoneException();
        }
        catch (InvalidTimeZoneException)
        {
            // Has returned both.
        }
    }

    private void Disturb(int choice)
    {
        switch (choice % 10)
        {
            case 0:
                run.Allocator.Trim();
                break;
            case 1 or 2:
                run.Allocator.TrimTo((long)_random.Next(StressRun.CapacityBlocks) * StressRun.BlockBytes);
                break;
            case 3 or 4:
                run.Time.Advance(TimeSpan.FromSeconds(_random.Next(1, 20)));
                break;
            case 5:
                run.Pressure.High = _random.Next(3) == 0;
                break;
            case 6:
                // Few failures are overcome by trying again, many are not.
                run.Source.FailAt(_random.Next(1, 4), _random.Next(1, 8));
                run.Source.FailMoveAt(_random.Next(1, 20));
                break;
            case 7:
                if (_random.Next(4) == 0)
                {
                    GC.Collect(_random.Next(3));
                    GC.WaitForPendingFinalizers();
                }

                break;
            default:
                StatisticsAssert.Balanced(run.Allocator.GetStatistics());
                break;
        }
    }

    private static void Check(bool holds)
    {
        if (!holds)
        {
            throw new InvalidOperationException("Somebody else wrote to the memory.");
        }
    }
}
