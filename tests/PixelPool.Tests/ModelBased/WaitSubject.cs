using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ModelBased;

/// <summary>An allocator with a budget, and requests that wait for it, beside the model of its line.</summary>
internal sealed class WaitSubject : Subject<WaitAct>
{
    /// <summary>The budget.</summary>
    public const int LimitBlocks = 128;

    private const int Block = TestSystem.BlockBytes;
    private const int SmallBlocks = LimitBlocks / 64;
    private const int Scopes = 3;
    private const int Threads = 3;
    private const int Nobody = -1;

    // Steps of the clock, in quarters of a second. Time limits never end at the moment of a look.
    private const int Step = 2;
    private const int Second = 4;
    private const int TimeLimit = (20 * Second) + 1;

    private static readonly TimeSpan s_quarter = TimeSpan.FromSeconds(0.25);

    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;
    private readonly WaitModel _model = new(LimitBlocks, SmallBlocks);
    private readonly RentScope[] _scopes;
    private readonly RentingThread[] _threads;
    private readonly List<(IDisposable Image, int Blocks, int Holder)> _images = [];
    private readonly bool _asksForLittle;
    private long _now;
    private long? _nextLook;
    private long _waits;
    private long _refusals;

    public WaitSubject(bool asksForLittle, bool blocks)
    {
        _asksForLittle = asksForLittle;
        _system.Time.FireNewTimersAtOnce = false;
        _allocator = _system.CreateAllocator(LimitBlocks, options =>
        {
            options.MaxRentedBytes = LimitBlocks * Block;
            options.RentTimeout = blocks ? TimeLimit * s_quarter : TimeSpan.Zero;
            options.AsyncRentTimeout = TimeLimit * s_quarter;
            options.LongWaitThreshold = Timeout.InfiniteTimeSpan;
        });
        _scopes = [.. Enumerable.Range(0, Scopes).Select(_ => new RentScope(_allocator))];
        _threads = [.. Enumerable.Range(0, blocks ? Threads : 0).Select(_ => new RentingThread())];
        if (asksForLittle)
        {
            // The budget knows from now on. What idle memory serves it does not see.
            Assert.True(_model.TryCharge(1));
            _allocator.Rent<byte>(Block, 1).Dispose();
            _model.Release(1);
        }
    }

    public override void Do(Command<WaitAct> command)
    {
        int blocks = Math.Max(_asksForLittle ? 1 : SmallBlocks + 1, command.Size);
        switch (command.Act)
        {
            case WaitAct.RentAsync:
                RentAsync(blocks, scope: Nobody, asLease: false);
                break;
            case WaitAct.LeaseAsync:
                RentAsync(blocks, scope: Nobody, asLease: true);
                break;
            case WaitAct.RentAsyncInScope:
                RentAsync(blocks, command.Which % Scopes, asLease: false);
                break;
            case WaitAct.TryRent:
                bool fits = _model.TryCharge(blocks);
                Assert.Equal(fits, _allocator.TryRent(Block, blocks, out PixelBuffer<byte>? tried));
                Keep(tried, blocks, Nobody);
                break;
            case WaitAct.Rent when _threads.Length == 0:
                Rent(blocks);
                break;
            case WaitAct.RentOnThread when _threads.Length != 0:
                RentOnThread(blocks, command.Which % Threads);
                break;
            case WaitAct.Return when _images.Count != 0:
                Return(command.Which % _images.Count);
                break;
            case WaitAct.Cancel when _model.Waiting.Count != 0:
                WaitingRequest cancelled = _model.Waiting[command.Which % _model.Waiting.Count];
                cancelled.End();
                _model.Leave(cancelled);
                AssertEnds(cancelled, cancelled.Ended);
                _waits++;
                break;
            case WaitAct.PassTime:
                for (int i = 0; i <= command.Form / 2; i++)
                {
                    PassTime();
                }

                break;
            case WaitAct.CloseScope:
                CloseScope(command.Which % Scopes);
                break;
            case WaitAct.Trim:
                _allocator.Trim();
                break;
        }

        Settle();
    }

    public override void Check()
    {
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal((long)_model.Charged * Block, statistics.ChargedBytes);
        Assert.Equal((long)_images.Sum(static image => image.Blocks) * Block, statistics.RentedBytes);
        Assert.True(statistics.RentedBytes + statistics.IdleBytes <= LimitBlocks * Block, "more is held than the budget allows");
        Assert.Equal((_model.Waiting.Count, _waits, _refusals), (statistics.WaitingRents, statistics.Waits, statistics.BudgetRefusals));
        Assert.Equal(_model.Waiting.Select(static request => (long)request.Blocks * Block), _allocator.GetWaitingRents().Select(static request => request.Bytes));
        Assert.True(_model.Waiting.TrueForAll(static request => !request.Task.IsCompleted), "somebody was let in who is not next");
    }

    public override void End()
    {
        while (_images.Count != 0)
        {
            Return(0);
            Settle();
        }

        Check();

        Assert.Empty(_model.Waiting);
        Array.ForEach(_scopes, static scope => scope.Dispose());
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.WaitingRents, statistics.LeakedCount));
        Assert.Empty(_allocator.GetOutstandingRents());
        _allocator.Dispose();
        _system.Source.AssertAllFreed();
    }

    public override void Dispose()
    {
        // That ends whoever still waits.
        _allocator.Dispose();
        _images.ForEach(static image => image.Image.Dispose());
        Array.ForEach(_scopes, static scope => scope.Dispose());
        Array.ForEach(_threads, static thread => thread.Dispose());
    }

    private static async Task<IDisposable> WhenRentedAsync(ValueTask<PixelBuffer<byte>> rent) => await rent.ConfigureAwait(false);

    private static async Task<IDisposable> WhenLeasedAsync(ValueTask<PixelLease<byte>> rent) => await rent.ConfigureAwait(false);

    private static void AssertEnds(WaitingRequest request, Type exception) =>
        Assert.IsAssignableFrom(exception, Assert.ThrowsAny<Exception>(() =>
        {
            Assert.True(Task.WaitAny([request.Task], s_limit) == 0, "the wait does not end");
            request.Task.GetAwaiter().GetResult();
        }));

    private void RentAsync(int blocks, int scope, bool asLease)
    {
        bool fits = _model.TryCharge(blocks);
        int rank = RankOf(blocks, scope);
        var cancellation = new CancellationTokenSource();
        Task<IDisposable> rent = asLease
            ? WhenLeasedAsync(_allocator.LeaseAsync<byte>(Block, blocks, cancellationToken: cancellation.Token))
            : WhenRentedAsync(scope == Nobody
                ? _allocator.RentAsync<byte>(Block, blocks, cancellationToken: cancellation.Token)
                : _scopes[scope].RentAsync<byte>(Block, blocks, cancellationToken: cancellation.Token));
        if (fits)
        {
            Assert.True(rent.IsCompleted, "waits, although it fits");
            Keep(rent.GetAwaiter().GetResult(), blocks, scope);
            return;
        }

        Join(new WaitingRequest(blocks, rank, scope, _now + TimeLimit, rent, cancellation.Cancel, typeof(OperationCanceledException)));
    }

    private void RentOnThread(int blocks, int thread)
    {
        int holder = Scopes + thread;
        if (_model.Waiting.Exists(request => request.Holder == holder))
        {
            return;
        }

        bool fits = _model.TryCharge(blocks);
        int rank = RankOf(blocks, holder);
        Task<IDisposable> rent = _threads[thread].Rent(() => _allocator.Rent<byte>(Block, blocks));
        if (fits)
        {
            Assert.True(rent.IsCompleted, "waits, although it fits");
            Keep(rent.GetAwaiter().GetResult(), blocks, holder);
            return;
        }

        Join(new WaitingRequest(blocks, rank, holder, _now + TimeLimit, rent, _threads[thread].Interrupt, typeof(ThreadInterruptedException)));
    }

    // Of asynchronous code without a scope it is not known what it holds.
    private int RankOf(int blocks, int holder) =>
        _model.RankOf(blocks, holder == Nobody ? 0 : _images.Where(image => image.Holder == holder).Sum(static image => image.Blocks));

    private void Join(WaitingRequest request)
    {
        _model.Join(request);
        _nextLook ??= _now + Second;
    }

    private void Rent(int blocks)
    {
        if (_model.TryCharge(blocks))
        {
            Keep(_allocator.Rent<byte>(Block, blocks), blocks, Nobody);
        }
        else
        {
            Assert.Throws<PixelBudgetExceededException>(() => _allocator.Rent<byte>(Block, blocks));
            _refusals++;
        }
    }

    private void Keep(IDisposable? image, int blocks, int holder)
    {
        if (image is null)
        {
            _refusals++;
        }
        else
        {
            _images.Add((image, blocks, holder));
        }
    }

    private void Return(int index)
    {
        (IDisposable image, int blocks, _) = _images[index];
        _images.RemoveAt(index);
        image.Dispose();
        _model.Release(blocks);
    }

    // One whose requests wait is left alone: whether they are let in by what it returns, or ended by its end, is a race.
    private void CloseScope(int scope)
    {
        if (_model.Waiting.Exists(request => request.Holder == scope))
        {
            return;
        }

        // The last one first.
        _scopes[scope].Dispose();
        _scopes[scope] = new RentScope(_allocator);
        for (int i = _images.Count - 1; i >= 0; i--)
        {
            if (_images[i].Holder == scope)
            {
                int blocks = _images[i].Blocks;
                _images.RemoveAt(i);
                _model.Release(blocks);
            }
        }
    }

    // A quarter at a time: whoever ended, or was let in, has left before the next look.
    private void PassTime()
    {
        for (int quarter = 0; quarter < Step; quarter++)
        {
            _now++;
            _system.Time.Advance(s_quarter);
            WaitingRequest[] late = [.. _model.Waiting.Where(request => request.EndsAt <= _now)];
            foreach (WaitingRequest request in late)
            {
                // Those before it may have made room for it.
                if (_model.Waiting.Contains(request))
                {
                    _model.Leave(request);
                    AssertEnds(request, typeof(PixelBudgetExceededException));
                    _waits++;
                    _refusals++;
                }
            }

            if (_nextLook == _now)
            {
                Look();
            }

            Settle();
        }
    }

    // The timer runs until it finds nobody.
    private void Look()
    {
        _nextLook = _model.Waiting.Count == 0 ? null : _now + Second;
        if (_nextLook is not null)
        {
            _model.Look();
        }
    }

    // Those who were let in get their images on other threads. Charged they are at once.
    private void Settle()
    {
        Assert.Equal((long)_model.Charged * Block, _allocator.GetStatistics().ChargedBytes);
        foreach (WaitingRequest request in _model.LetIn)
        {
            Assert.True(Task.WaitAny([request.Task], s_limit) == 0, "the grant does not arrive");
            _images.Add((request.Task.GetAwaiter().GetResult(), request.Blocks, request.Holder));
            _waits++;
        }

        _model.LetIn.Clear();
    }
}
