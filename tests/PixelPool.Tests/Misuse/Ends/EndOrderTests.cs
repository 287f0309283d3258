using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse.Ends;

/// <summary>
/// What holds memory for each other ends in every order. After each end what still lives is whole, what has ended says so, and accounts are right. After the last one nothing is held, and
/// all of it once more changes nothing.
/// </summary>
public sealed class EndOrderTests
{
    private static readonly SmallBufferStrategy[] s_strategies = [SmallBufferStrategy.ArrayPool, SmallBufferStrategy.Slab];

    public static TheoryData<string> Scenarios => EndScenarios.Names;

    [Theory]
    [MemberData(nameof(Scenarios))]
    public void Everything_may_end_after_everything_else(string scenario)
    {
        foreach (SmallBufferStrategy strategy in s_strategies)
        {
            using var system = new TestSystem(new FakeBlockSource(divisible: true, divisibleBytes: 8 << 20));
            int[] order = [.. Enumerable.Range(0, CountEndings(scenario, system, strategy))];
            do
            {
                var misused = new MisusedAllocator(system, strategy);
                Ending[] endings = EndScenarios.Begin(scenario, misused);
                Ending[] inOrder = [.. order.Select(i => endings[i])];
                try
                {
                    EndAll(misused, inOrder);
                }
                catch (Exception e)
                {
                    throw new InvalidOperationException($"{strategy}, {string.Join(", ", inOrder.Select(static ending => ending.Name))}: {e.Message}", e);
                }
            }
            while (TryNext(order));
        }
    }

    private static void EndAll(MisusedAllocator misused, Ending[] endings)
    {
        var ended = new HashSet<string>();
        AssertAll(endings, ended);
        foreach (Ending ending in endings)
        {
            ending.End();
            ending.End();
            ended.Add(ending.Name);
            AssertAll(endings, ended);
            StatisticsAssert.Balanced(misused.Statistics);
        }

        misused.AssertNothingHeld();
        misused.System.Source.AssertAllFreed();
        foreach (Ending ending in endings)
        {
            ending.End();
        }

        AssertAll(endings, ended);
        misused.AssertNothingHeld();
    }

    private static void AssertAll(Ending[] endings, HashSet<string> ended)
    {
        foreach (Ending ending in endings)
        {
            if (ending.Lives(ended))
            {
                ending.Use();
            }
            else if (Record.Exception(ending.Use) is not ObjectDisposedException)
            {
                Assert.Fail($"The {ending.Name} can be used although {string.Join(", ", ended)} ended.");
            }
        }
    }

    private static int CountEndings(string scenario, TestSystem system, SmallBufferStrategy strategy)
    {
        Ending[] endings = EndScenarios.Begin(scenario, new MisusedAllocator(system, strategy));
        Array.ForEach(endings, static ending => ending.End());
        return endings.Length;
    }

    // The next order, in the order of their numbers.
    private static bool TryNext(int[] order)
    {
        int at = order.Length - 2;
        while (at >= 0 && order[at] > order[at + 1])
        {
            at--;
        }

        if (at < 0)
        {
            return false;
        }

        int larger = Array.FindLastIndex(order, i => i > order[at]);
        (order[at], order[larger]) = (order[larger], order[at]);
        Array.Reverse(order, at + 1, order.Length - at - 1);
        return true;
    }
}
