using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>What is remembered of places is bounded by how many places there are, and at most.</summary>
public class RentStackTableTests
{
    private readonly RentStackTable _table = new();

    [Fact]
    public void One_place_is_one_stack_however_often_it_rents()
    {
        HashSet<RentStack> stacks = [];
        for (int i = 0; i < 100; i++)
        {
            stacks.Add(Here());
        }

        Assert.Single(stacks);
    }

    [Fact]
    public void More_places_than_the_table_has_room_for_are_forgotten_and_captured_again()
    {
        // Eleven calls of one of two methods each: 2,048 ways to get there, all from this line.
        int[] ways = [.. Enumerable.Range(0, 1024), 0, 1024, 0];
        var stacks = new RentStack[ways.Length];
        for (int i = 0; i < ways.Length; i++)
        {
            stacks[i] = Reach(ways[i], 11);
        }

        Assert.Equal(1024, stacks.Take(1024).Distinct().Count());
        Assert.Same(stacks[0], stacks[1024]);
        Assert.NotSame(stacks[0], stacks[1026]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RentStack Here() => Keep(_table.Capture());

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RentStack Reach(int way, int left) => left == 0 ? Here() : (way & 1) == 0 ? Even(way >> 1, left - 1) : Odd(way >> 1, left - 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RentStack Even(int way, int left) => Keep(Reach(way, left));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RentStack Odd(int way, int left) => Keep(Reach(way, left));

    // Something to do after the call: without it the call could be a jump, which leaves no frame.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static RentStack Keep(RentStack stack) => stack;
}
