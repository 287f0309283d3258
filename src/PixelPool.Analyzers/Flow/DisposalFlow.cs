using System.Collections.Immutable;
using Microsoft.CodeAnalysis.FlowAnalysis;

namespace PixelPool.Analyzers.Flow;

/// <summary>
/// What a variable may hold at the beginning of each block of a graph. A regular way goes through the finally blocks it has to; an exception may come
/// anywhere in a try block, and leads to its catch and finally blocks.
/// </summary>
internal sealed class DisposalFlow
{
    private readonly ControlFlowGraph _graph;
    private readonly FollowedVariable _variable;
    private readonly ImmutableArray<ImmutableArray<ControlFlowBranch>> _waysOut;
    private readonly DisposalStates[] _before;
    private readonly Queue<BasicBlock> _changed = new();

    public DisposalFlow(ControlFlowGraph graph, FollowedVariable variable)
    {
        _graph = graph;
        _variable = variable;
        _waysOut = graph.Blocks.Select(WaysOut.Of).ToImmutableArray();
        _before = new DisposalStates[graph.Blocks.Length];
        Reach(graph.Blocks[0], DisposalStates.Other);
        while (_changed.Count > 0)
        {
            Pass(_changed.Dequeue());
        }
    }

    public DisposalStates Before(BasicBlock block) => _before[block.Ordinal];

    /// <summary>All that happens to the variable, with what it may hold before.</summary>
    public IEnumerable<(FlowEvent Event, DisposalStates Before)> Events()
    {
        foreach (BasicBlock block in _graph.Blocks)
        {
            DisposalStates states = Before(block);
            foreach (FlowEvent happening in _variable.EventsIn(block))
            {
                yield return (happening, states);
                states = happening.After(states);
            }
        }
    }

    /// <summary>Ways out of a block within the method: those that exceptions take are not among them.</summary>
    public IEnumerable<ControlFlowBranch> Branches(BasicBlock block) => _waysOut[block.Ordinal].Where(static way => way.Destination is not null);

    /// <summary>What the variable may hold at the end of a way out of a block, after its condition and its finally blocks.</summary>
    public DisposalStates Along(ControlFlowBranch branch, DisposalStates states)
    {
        BasicBlock block = branch.Source;
        if (block is { ConditionKind: not ControlFlowConditionKind.None, BranchValue: { } condition })
        {
            bool whenTrue = block.ConditionKind == ControlFlowConditionKind.WhenTrue;
            states = _variable.When(condition, branch.IsConditionalSuccessor == whenTrue, states);
        }

        foreach (ControlFlowRegion region in branch.FinallyRegions)
        {
            states = Through(region, states);
        }

        return states;
    }

    /// <summary>Whether the variable ends with a way out of a block.</summary>
    public bool EndsWith(ControlFlowBranch branch) =>
        branch.Destination!.Kind == BasicBlockKind.Exit || (_variable.Region is { } region && branch.LeavingRegions.Contains(region));

    private void Reach(BasicBlock block, DisposalStates states)
    {
        if ((_before[block.Ordinal] | states) != _before[block.Ordinal])
        {
            _before[block.Ordinal] |= states;
            _changed.Enqueue(block);
        }
    }

    private void Pass(BasicBlock block)
    {
        DisposalStates states = Before(block);
        DisposalStates met = states;
        foreach (FlowEvent happening in _variable.EventsIn(block))
        {
            states = happening.After(states);
            met |= states;
        }

        foreach (ControlFlowBranch branch in Branches(block))
        {
            Reach(branch.Destination!, Along(branch, states));
        }

        // Regions around the root are those of the method around a delegate.
        for (ControlFlowRegion region = block.EnclosingRegion; region.Kind != ControlFlowRegionKind.Root; region = region.EnclosingRegion!)
        {
            if (region.Kind == ControlFlowRegionKind.Try)
            {
                foreach (ControlFlowRegion handler in region.EnclosingRegion!.NestedRegions.Where(nested => nested != region))
                {
                    Reach(_graph.Blocks[handler.FirstBlockOrdinal], met);
                }
            }
        }
    }

    // The regular way through a finally block, for exactly these states.
    private DisposalStates Through(ControlFlowRegion region, DisposalStates states)
    {
        var before = new DisposalStates[region.LastBlockOrdinal - region.FirstBlockOrdinal + 1];
        var result = DisposalStates.None;
        var changed = new Queue<int>();
        before[0] = states;
        changed.Enqueue(region.FirstBlockOrdinal);
        while (changed.Count > 0)
        {
            BasicBlock block = _graph.Blocks[changed.Dequeue()];
            DisposalStates after = _variable.EventsIn(block).Aggregate(before[block.Ordinal - region.FirstBlockOrdinal], static (now, happening) => happening.After(now));
            foreach (ControlFlowBranch end in _waysOut[block.Ordinal].Where(static way => way.Semantics == ControlFlowBranchSemantics.StructuredExceptionHandling))
            {
                result |= Along(end, after);
            }

            foreach (ControlFlowBranch branch in Branches(block))
            {
                // A jump out of a finally block is an error of who still types.
                int next = branch.Destination!.Ordinal - region.FirstBlockOrdinal;
                if (next < 0 || next >= before.Length)
                {
                    continue;
                }

                DisposalStates joined = before[next] | Along(branch, after);
                if (joined != before[next])
                {
                    before[next] = joined;
                    changed.Enqueue(branch.Destination.Ordinal);
                }
            }
        }

        return result;
    }
}
