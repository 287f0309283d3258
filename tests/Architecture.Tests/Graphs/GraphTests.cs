namespace Architecture.Tests.Graphs;

public sealed class GraphTests
{
    [Fact]
    public void Nodes_that_reach_each_other_are_a_knot() =>
        Assert.Equal(["a b c"], Knots("a → b", "b → c", "c → a"));

    [Fact]
    public void Neither_who_leads_into_a_knot_nor_where_it_leads_is_part_of_it() =>
        Assert.Equal(["b c"], Knots("a → b", "b → c", "c → b", "c → d"));

    [Fact]
    public void Knots_that_one_way_joins_stay_two_the_larger_first() =>
        Assert.Equal(["c d e", "a b"], Knots("a → b", "b → a", "b → c", "c → d", "d → e", "e → c"));

    [Fact]
    public void Cycles_that_share_a_node_are_one_knot() =>
        Assert.Equal(["a b c"], Knots("a → b", "b → a", "a → c", "c → a"));

    [Fact]
    public void Two_ways_to_the_same_node_are_no_knot() =>
        Assert.Empty(Knots("a → b", "a → c", "b → d", "c → d"));

    [Fact]
    public void Shortest_cycle_is_found_beside_longer_ones() =>
        Assert.Equal(["a", "e", "f"], Read("a → b", "b → c", "c → d", "d → a", "a → e", "e → f", "f → a").ShortestCycle("a"));

    [Fact]
    public void Cycle_of_others_is_not_that_of_who_leads_to_it() =>
        Assert.Empty(Read("a → b", "b → c", "c → b").ShortestCycle("a"));

    private static IEnumerable<string> Knots(params string[] edges) =>
        Read(edges).Knots().Select(static knot => string.Join(' ', knot.Order(StringComparer.Ordinal)));

    private static Graph<string> Read(params string[] edges) =>
        new(edges.Select(static edge => edge.Split(" → ")).Select(static ends => (ends[0], ends[1])));
}
