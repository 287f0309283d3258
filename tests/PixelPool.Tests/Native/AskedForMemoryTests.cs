using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native;

/// <summary>Before much memory is taken, and when the system refused some, the application is asked how much there is. Whatever it does then, nothing is lost.</summary>
public sealed class AskedForMemoryTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;

    // More than is asked for without a question.
    private const int Rows = (int)((2L << 30) / Block);

    private readonly TestSystem _system = TestSystem.Alone();
    private readonly AnsweringPressure _pressure = new();

    private static readonly Dictionary<string, Action<PixelAllocator>> s_answers = new()
    {
        ["throws"] = static _ => throw new InvalidTimeZoneException(),
        ["rents"] = static allocator => allocator.Rent<byte>(Block, 2).Dispose(),
        ["trims"] = static allocator => allocator.Trim(),
        ["asks"] = static allocator => _ = (allocator.GetStatistics(), allocator.GetOutstandingRents(), allocator.GetWaitingRents()),
        ["ends the allocator"] = static allocator => allocator.Dispose(),
        ["interrupts"] = static _ => Thread.CurrentThread.Interrupt(),
    };

    private static readonly Dictionary<string, Action<PixelAllocator>> s_requests = new()
    {
        ["blocks"] = static allocator => allocator.Rent<byte>(Block, Rows),
        ["a run"] = static allocator => allocator.Rent<byte>(Block, Rows, AllocationOptions.Contiguous),
        ["a scope"] = static allocator =>
        {
            using RentScope scope = allocator.CreateScope(long.MaxValue);
            scope.Rent<byte>(Block, Rows);
        },
        ["a stream"] = static allocator => new PixelPoolStream(allocator, (long)Block * Rows),
        ["a task"] = static allocator => allocator.RentAsync<byte>(Block, Rows).AsTask().GetAwaiter().GetResult(),
    };

    public static TheoryData<string, string, bool> Cases => new MatrixTheoryData<string, string, bool>([.. s_answers.Keys], [.. s_requests.Keys], [false, true]);

    public void Dispose() => _system.Dispose();

    [Theory]
    [MemberData(nameof(Cases))]
    public void It_may_do_anything(string answer, string request, bool pooled)
    {
        PixelAllocator allocator = _system.CreateAllocator(capacityInBlocks: pooled ? 2 * Rows : 8, options => (options.MemoryPressure, options.MaxRentedBytes) = (_pressure, 8L << 30));
        _system.Source.MaxLiveBytes = 16 * Block;
        _system.OnPause = static _ => Thread.CurrentThread.Join(0);
        allocator.Rent<byte>(Block, 3).Dispose();
        _pressure.Answer = () => s_answers[answer](allocator);
        int asked = _pressure.Asked;
        Exception? thrown = Record.Exception(() => s_requests[request](allocator));
        _pressure.Answer = null;
        Assert.True(thrown is OutOfMemoryException || (thrown, answer) is (ObjectDisposedException, "ends the allocator") or (ThreadInterruptedException, "interrupts"), $"{thrown}");
        Assert.InRange(_pressure.Asked, asked + 1, asked + 100);
        _ = Record.Exception(static () => Thread.CurrentThread.Join(0));
        if (answer != "ends the allocator")
        {
            allocator.Rent<byte>(Block, 5).Dispose();
        }

        allocator.Dispose();
        StatisticsAssert.Balanced(allocator.GetStatistics());
        Assert.Equal((0L, 0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().LeakedCount));
        _system.Source.AssertAllFreed();
    }

    private sealed class AnsweringPressure : MemoryPressureSource
    {
        private bool _isInside;

        public Action? Answer { get; set; }

        public int Asked { get; private set; }

        public override long GetAvailableBytes()
        {
            Asked++;
            if (!_isInside && Answer is not null)
            {
                _isInside = true;
                try
                {
                    Answer();
                }
                finally
                {
                    _isInside = false;
                }
            }

            return 64L << 30;
        }

        public override bool IsHigh() => false;
    }
}
