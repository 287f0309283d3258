namespace Architecture.Tests.Graphs;

/// <summary>Who leads to whom.</summary>
internal sealed class Graph<TNode>(IEnumerable<(TNode From, TNode To)> edges)
    where TNode : class
{
    private readonly Dictionary<TNode, TNode[]> _next = edges.Distinct()
        .GroupBy(static edge => edge.From, static edge => edge.To)
        .ToDictionary(static way => way.Key, static way => way.ToArray());

    /// <summary>The nodes that one edge leads to.</summary>
    public IReadOnlyList<TNode> Next(TNode node) => _next.GetValueOrDefault(node, []);

    /// <summary>The largest sets of two or more nodes in which each reaches each other, the largest first.</summary>
    public IReadOnlyList<IReadOnlyList<TNode>> Knots()
    {
        Dictionary<TNode, HashSet<TNode>> reached = _next.Keys.ToDictionary(static node => node, node => Walk(node).Keys.ToHashSet());
        var knots = new List<IReadOnlyList<TNode>>();
        var seen = new HashSet<TNode>();
        foreach (TNode node in reached.Keys.Where(seen.Add))
        {
            TNode[] knot = [.. reached[node].Where(other => reached.TryGetValue(other, out HashSet<TNode>? back) && back.Contains(node))];
            seen.UnionWith(knot);
            if (knot.Length > 1)
            {
                knots.Add(knot);
            }
        }

        return [.. knots.OrderByDescending(static knot => knot.Count)];
    }

    /// <summary>The shortest way from a node back to it, the node first; empty where there is none.</summary>
    public IReadOnlyList<TNode> ShortestCycle(TNode node)
    {
        Dictionary<TNode, TNode> before = Walk(node);
        var cycle = new List<TNode>();
        for (TNode? at = node; before.TryGetValue(at, out at) && at != node;)
        {
            cycle.Insert(0, at);
        }

        return before.ContainsKey(node) ? [node, .. cycle] : [];
    }

    /// <summary>All nodes that can be reached, the nearest first, and from where each was reached. The start is among them when it is part of a cycle.</summary>
    private Dictionary<TNode, TNode> Walk(TNode start)
    {
        var before = new Dictionary<TNode, TNode>();
        var open = new Queue<TNode>([start]);
        while (open.TryDequeue(out TNode? node))
        {
            foreach (TNode next in Next(node).Where(next => before.TryAdd(next, node)))
            {
                open.Enqueue(next);
            }
        }

        return before;
    }
}
