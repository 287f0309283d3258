using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>Does an operation again and again, with a little more managed memory each time, until all of its allocations succeed.</summary>
/// <remarks>In a process with <see cref="FullHeap.Environment"/>.</remarks>
internal sealed class Walk
{
    // The smallest object: no allocation is passed over.
    private const int StepBytes = 24;

    // Enough for any operation that gives something back: it must succeed with less, too.
    private const int MostBytesBack = 40 * StepBytes;

    // For what the runtime needs at a first time.
    private const int AllThereIs = int.MaxValue;

    // More than any operation allocates.
    private const int MostBytes = 32 << 10;

    // In a row, because the collector leaves out a few bytes more or less.
    private const int Successes = 3;

    private readonly FullHeap _heap;

    public Walk()
    {
        Unhandled.Watch();
        _heap = new FullHeap();
    }

    /// <summary>What an operation may be refused for lack of memory.</summary>
    /// <param name="name">For the output.</param>
    /// <param name="prepare">Makes what one round needs, with memory.</param>
    public void Forth(string name, Func<WalkedRound> prepare)
    {
        Prepare(prepare);
        int refused = 0;
        int succeeded = 0;
        int rest = FullHeap.LeastBytes;
        for (; succeeded < Successes; rest += StepBytes)
        {
            Assert.True(rest < MostBytes, $"{name} does not end");
            Exception? failure = Do(prepare, rest);
            succeeded = failure is null ? succeeded + 1 : 0;
            refused += failure is null ? 0 : 1;
            if (failure is not null and not OutOfMemoryException)
            {
                throw new InvalidOperationException($"{name} with {rest} bytes", failure);
            }
        }

        Console.WriteLine($"{name}: refused {refused} times, up to {rest} bytes");
    }

    /// <summary>What must not fail: a return, a finalizer, a wake-up.</summary>
    /// <param name="name">For the output.</param>
    /// <param name="prepare">Makes what one round needs, with memory.</param>
    public void Back(string name, Func<WalkedRound> prepare)
    {
        Prepare(prepare);
        for (int rest = FullHeap.LeastBytes; rest < MostBytesBack; rest += StepBytes)
        {
            if (Do(prepare, rest) is { } failure)
            {
                throw new InvalidOperationException($"{name} with {rest} bytes", failure);
            }
        }

        Console.WriteLine($"{name}: never failed");
    }

    /// <summary>Something that is rented, also from the system, and disposed.</summary>
    /// <param name="walked">Whose it is.</param>
    /// <param name="name">For the output.</param>
    /// <param name="rent">Rents it.</param>
    public void BothWays(WalkedAllocator walked, string name, Func<IDisposable> rent)
    {
        Forth($"rent {name}", () =>
        {
            walked.Allocator.Trim();
            IDisposable? handle = null;
            return new WalkedRound(
                () => handle = rent(),
                refused =>
                {
                    handle?.Dispose();
                    walked.Check(refused);
                });
        });
        Back($"return {name}", () => new WalkedRound(rent().Dispose, _ => walked.Check()));
    }

    /// <summary>One round, on a thread of its own: it has nothing yet of what the runtime keeps for a thread.</summary>
    /// <returns>What the operation threw.</returns>
    public Exception? Do(Func<WalkedRound> prepare, int rest)
    {
        Exception? refusal = null;
        Exception? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                Unhandled.Forget();
                WalkedRound round = prepare();
                refusal = Try(round, rest);
                round.Check(refusal is not null);
                Unhandled.Check();
            }
#pragma warning disable CA1031 // thrown on the thread of the test
            catch (Exception e)
            {
                failure = e;
            }
#pragma warning restore CA1031
        });
        thread.Start();
        thread.Join();
        return failure is null ? refusal : throw new InvalidOperationException($"after {rest} bytes, and {refusal}", failure);
    }

    // Twice: a second time often is another one.
    private void Prepare(Func<WalkedRound> prepare)
    {
        Assert.Null(Do(prepare, AllThereIs));
        Assert.Null(Do(prepare, AllThereIs));
    }

    private Exception? Try(WalkedRound round, int rest)
    {
        if (rest != AllThereIs)
        {
            _heap.FillBut(rest);
        }

        try
        {
            round.Act();
            return null;
        }
#pragma warning disable CA1031 // the test looks at it
        catch (Exception e)
        {
            return e;
        }
#pragma warning restore CA1031
        finally
        {
            _heap.Release();
        }
    }
}
