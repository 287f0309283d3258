using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Flow;

/// <summary>The control flow of a method, and of the delegates and local functions in it, each read when somebody asks for a variable of it.</summary>
internal sealed class MethodGraphs(OperationBlockAnalysisContext context)
{
    private readonly Dictionary<IOperation, ImmutableArray<ControlFlowGraph>> _read = [];

    /// <summary>The graph of the function that a variable belongs to; null for what is not a function's.</summary>
    public ControlFlowGraph? For(ISymbol variable, IOperation block)
    {
        if (!_read.TryGetValue(block, out ImmutableArray<ControlFlowGraph> graphs))
        {
            graphs = block is IMethodBodyBaseOperation or IBlockOperation or IFieldInitializerOperation or IPropertyInitializerOperation
                ? WithNested(context.GetControlFlowGraph(block)).ToImmutableArray()
                : ImmutableArray<ControlFlowGraph>.Empty;
            _read.Add(block, graphs);
        }

        return graphs.FirstOrDefault(graph => Owns(graph, variable));
    }

    private static IEnumerable<ControlFlowGraph> WithNested(ControlFlowGraph graph)
    {
        IEnumerable<ControlFlowGraph> functions = graph.LocalFunctions.Select(function => graph.GetLocalFunctionControlFlowGraph(function));
        IEnumerable<ControlFlowGraph> delegates = graph.Blocks
            .SelectMany(static block => block.BranchValue is { } value ? block.Operations.Add(value) : block.Operations)
            .SelectMany(static operation => operation.DescendantsAndSelf())
            .OfType<IFlowAnonymousFunctionOperation>()
            .Select(function => graph.GetAnonymousFunctionControlFlowGraph(function));
        return functions.Concat(delegates).SelectMany(WithNested).Prepend(graph);
    }

    private static bool Owns(ControlFlowGraph graph, ISymbol variable) => variable switch
    {
        ILocalSymbol local => DeclaringRegion(graph.Root, local) is not null,
        IParameterSymbol parameter => graph.OriginalOperation switch
        {
            IAnonymousFunctionOperation lambda => SymbolEqualityComparer.Default.Equals(lambda.Symbol, parameter.ContainingSymbol),
            ILocalFunctionOperation function => SymbolEqualityComparer.Default.Equals(function.Symbol, parameter.ContainingSymbol),
            _ => parameter.ContainingSymbol is not IMethodSymbol { MethodKind: MethodKind.AnonymousFunction or MethodKind.LocalFunction },
        },
        _ => false,
    };

    /// <summary>Where in a graph a local begins and ends; null when it belongs to another graph.</summary>
    public static ControlFlowRegion? DeclaringRegion(ControlFlowRegion region, ISymbol local) =>
        region.Locals.Any(declared => SymbolEqualityComparer.Default.Equals(declared, local))
            ? region
            : region.NestedRegions.Select(nested => DeclaringRegion(nested, local)).FirstOrDefault(static found => found is not null);
}
