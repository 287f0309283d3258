using Microsoft.CodeAnalysis;

namespace PixelPool.Analyzers.Flow;

/// <summary>Something that happens to the followed variable.</summary>
internal readonly struct FlowEvent(FlowEventKind kind, IOperation operation)
{
    public FlowEventKind Kind { get; } = kind;

    /// <summary>The place: the reference to the variable, or the assignment.</summary>
    public IOperation Operation { get; } = operation;

    /// <summary>What the variable holds afterwards.</summary>
    public DisposalStates After(DisposalStates before) => Kind switch
    {
        FlowEventKind.Creates => DisposalStates.Owned,
        FlowEventKind.MayCreate => DisposalStates.Owned | DisposalStates.Other,
        FlowEventKind.Assigns => DisposalStates.Other,
        FlowEventKind.Disposes => DisposalStates.Disposed,
        _ => before,
    };
}
