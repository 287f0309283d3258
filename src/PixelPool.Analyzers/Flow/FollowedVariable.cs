using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Flow;

/// <summary>One variable of a graph: what happens to it in each block, in the order in which it happens, and what conditions tell of it.</summary>
internal sealed class FollowedVariable
{
    private readonly ISymbol _variable;
    private readonly SyntaxNode? _creation;
    private readonly ISymbol[] _dependent;
    private readonly HashSet<CaptureId> _captures = [];
    private readonly ImmutableArray<ImmutableArray<FlowEvent>> _events;

    /// <param name="graph">The control flow of the function that the variable belongs to.</param>
    /// <param name="variable">A local or a parameter.</param>
    /// <param name="creation">The call whose result is followed, if one is.</param>
    /// <param name="dependent">Variables whose value depends on it: places that name them are events, too.</param>
    public FollowedVariable(ControlFlowGraph graph, ISymbol variable, SyntaxNode? creation = null, params ISymbol[] dependent)
    {
        _variable = variable;
        _creation = creation;
        _dependent = dependent;
        Region = MethodGraphs.DeclaringRegion(graph.Root, variable);
        FindCaptures(graph);
        _events = graph.Blocks.Select(block => Read(block).ToImmutableArray()).ToImmutableArray();
    }

    /// <summary>Where it lives; null for a parameter, which lives as long as the call.</summary>
    public ControlFlowRegion? Region { get; }

    public ImmutableArray<FlowEvent> EventsIn(BasicBlock block) => _events[block.Ordinal];

    /// <summary>What it may hold when the condition at the end of a block turned out so.</summary>
    public DisposalStates When(IOperation condition, bool outcome, DisposalStates states)
    {
        switch (Operations.Unconverted(condition))
        {
            case IUnaryOperation { OperatorKind: UnaryOperatorKind.Not } not:
                return When(not.Operand, !outcome, states);
            case IIsNullOperation test when Is(test.Operand):
                return outcome ? DisposalStates.None : states; // the compiler's own test, of a "using" or a "?.": what follows is not about null
            case { } test when NullTest.OutcomeForNull(test, Is) is { } onNull:
                return outcome == onNull ? states & DisposalStates.Other : states;
            case IPropertyReferenceOperation { Property.Name: "IsDisposed" } property when Is(property.Instance):
                return outcome ? DisposalStates.Disposed | DisposalStates.Other : states & ~DisposalStates.Disposed;
            case IInvocationOperation call when IsCreation(call) && !outcome:
                return DisposalStates.Other;
            default:
                return states;
        }
    }

    // "x?.Dispose()" and "x ?? y" read the variable once, into a capture.
    private void FindCaptures(ControlFlowGraph graph)
    {
        IFlowCaptureOperation[] all = [.. graph.Blocks.SelectMany(static block => block.Operations).OfType<IFlowCaptureOperation>()];
        foreach (IGrouping<CaptureId, IFlowCaptureOperation> capture in all.GroupBy(static capture => capture.Id))
        {
            if (capture.All(part => SymbolEqualityComparer.Default.Equals(Operations.VariableOf(part.Value), _variable)))
            {
                _captures.Add(capture.Key);
            }
        }
    }

    private bool Is(IOperation? operation) => Operations.Unconverted(operation) is { } plain
        && (plain is IFlowCaptureReferenceOperation capture
            ? _captures.Contains(capture.Id)
            : SymbolEqualityComparer.Default.Equals(Operations.VariableOf(plain), _variable));

    private bool IsCreation(IOperation operation) => _creation is not null && operation.Syntax == _creation;

    private IEnumerable<FlowEvent> Read(BasicBlock block)
    {
        IEnumerable<IOperation> operations = block.BranchValue is { } value ? block.Operations.Add(value) : block.Operations;
        return operations.SelectMany(operation => Read(operation, block.BranchValue));
    }

    private IEnumerable<FlowEvent> Read(IOperation operation, IOperation? condition)
    {
        // All values are there before the first is written.
        IEnumerable<IOperation> parts = operation is IDeconstructionAssignmentOperation several ? [several.Value, several.Target] : operation.ChildOperations;
        foreach (FlowEvent inside in parts.SelectMany(part => Read(part, condition)))
        {
            yield return inside;
        }

        if (operation is ISimpleAssignmentOperation assignment && Is(assignment.Target))
        {
            bool creates = Operations.Unconverted(assignment.Value)!.DescendantsAndSelf().Any(part => IsCreation(part) && Creation.ValueOf(part).Parent == assignment);
            yield return new FlowEvent(creates ? FlowEventKind.Creates : FlowEventKind.Assigns, operation);
        }
        else if (operation is ILocalReferenceOperation or IParameterReferenceOperation or IFlowCaptureReferenceOperation && Is(operation) && Named(operation, condition) is { } named)
        {
            yield return named;
        }
        else if (operation is ILocalReferenceOperation { Local: var local } && _dependent.Contains(local, SymbolEqualityComparer.Default))
        {
            yield return new FlowEvent(FlowEventKind.NamesDependent, operation);
        }
    }

    private FlowEvent? Named(IOperation reference, IOperation? condition)
    {
        IOperation value = Operations.Converted(reference);
        return value.Parent switch
        {
            ISimpleAssignmentOperation assignment when assignment.Target == value => null,
            IFlowCaptureOperation => null,
            _ when Deconstruction.Writes(value) => new FlowEvent(FlowEventKind.Assigns, reference),
            IArgumentOperation { Parameter.RefKind: RefKind.Out, Parent: { } call } when IsCreation(call) =>
                new FlowEvent(Decides(condition, call) ? FlowEventKind.Creates : FlowEventKind.MayCreate, reference),
            IArgumentOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref } => new FlowEvent(FlowEventKind.Assigns, reference),
            IInvocationOperation call when call.Instance == value && Disposal.Is(call) => new FlowEvent(FlowEventKind.Disposes, reference),
            _ => new FlowEvent(FlowEventKind.Names, reference),
        };
    }

    private static bool Decides(IOperation? condition, IOperation call)
    {
        IOperation? plain = Operations.Unconverted(condition);
        while (plain is IUnaryOperation { OperatorKind: UnaryOperatorKind.Not } not)
        {
            plain = Operations.Unconverted(not.Operand);
        }

        return plain == call;
    }
}
