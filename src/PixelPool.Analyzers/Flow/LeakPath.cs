using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Flow;

/// <summary>
/// Looks for a way on which what a variable got is neither disposed nor handed on. A way is believed only as long as it cannot depend on an earlier one:
/// at a condition that may tell whether the memory was disposed already ("if (owned)"), it ends.
/// </summary>
internal sealed class LeakPath(ControlFlowGraph graph, FollowedVariable variable)
{
    private readonly DisposalFlow _flow = new(graph, variable);
    private readonly HashSet<BasicBlock> _seen = [];

    public bool Exists() => graph.Blocks.Any(Begins);

    private bool Begins(BasicBlock block)
    {
        int created = variable.EventsIn(block).ToList().FindLastIndex(static happening => happening.Kind == FlowEventKind.Creates);
        return created >= 0 && _flow.Before(block) != DisposalStates.None && Leaks(block, created + 1);
    }

    private bool Leaks(BasicBlock block, int firstEvent)
    {
        foreach (FlowEvent happening in variable.EventsIn(block).Skip(firstEvent))
        {
            if (happening.Kind != FlowEventKind.Names)
            {
                return happening.Kind != FlowEventKind.Disposes;
            }
        }

        return _flow.Branches(block).Any(Leaks);
    }

    private bool Leaks(ControlFlowBranch branch)
    {
        if (_flow.Along(branch, DisposalStates.Owned) != DisposalStates.Owned)
        {
            return false;
        }

        BasicBlock next = branch.Destination!;
        return _flow.EndsWith(branch) || (_seen.Add(next) && IsBelieved(next) && Leaks(next, 0));
    }

    private bool IsBelieved(BasicBlock block) =>
        _flow.Before(block) == DisposalStates.Owned || block.ConditionKind == ControlFlowConditionKind.None || !MayDisposeFrom(block);

    private bool MayDisposeFrom(BasicBlock block)
    {
        var reached = new HashSet<BasicBlock>();
        var open = new Stack<BasicBlock>();
        open.Push(block);
        while (open.Count > 0)
        {
            BasicBlock next = open.Pop();
            if (!reached.Add(next))
            {
                continue;
            }

            if (variable.EventsIn(next).Any(static happening => happening.Kind == FlowEventKind.Disposes))
            {
                return true;
            }

            foreach (ControlFlowBranch branch in _flow.Branches(next))
            {
                open.Push(branch.Destination!);
                foreach (ControlFlowRegion region in branch.FinallyRegions)
                {
                    open.Push(graph.Blocks[region.FirstBlockOrdinal]);
                }
            }
        }

        return false;
    }
}
