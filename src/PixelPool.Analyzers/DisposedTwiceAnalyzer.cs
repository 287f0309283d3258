using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP003: a lease is disposed where it is disposed already, or by hand and by a <c>using</c>.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class DisposedTwiceAnalyzer() : LibraryAnalyzer(Rules.DisposedTwice)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        RegisterUsers(context, types, Analyze);

    private static void Analyze(OperationBlockAnalysisContext context, LibraryTypes types)
    {
        var graphs = new MethodGraphs(context);
        foreach (IOperation body in context.OperationBlocks)
        {
            foreach (ISymbol lease in DisposedVariables.In(body, types).Where(variable => IsLease(variable, types)))
            {
                foreach (IOperation second in VariableUses.IsUsing(lease) ? AllDisposals(lease, body) : SecondDisposals(lease, body, graphs))
                {
                    context.ReportDiagnostic(Diagnostic.Create(Rules.DisposedTwice, second.Syntax.GetLocation(), lease.Name));
                }
            }
        }
    }

    // The end of its block disposes it anyhow.
    private static IEnumerable<IOperation> AllDisposals(ISymbol lease, IOperation body) =>
        body.DescendantsAndSelf().Where(operation => operation is IInvocationOperation call && Disposal.Is(call)
            && SymbolEqualityComparer.Default.Equals(Operations.VariableOf(call.Instance), lease));

    private static IEnumerable<IOperation> SecondDisposals(ISymbol lease, IOperation body, MethodGraphs graphs) =>
        graphs.For(lease, body) is { } graph
            ? new DisposalFlow(graph, new FollowedVariable(graph, lease)).Events()
                .Where(static step => step is { Before: DisposalStates.Disposed, Event: { Kind: FlowEventKind.Disposes, Operation.IsImplicit: false } })
                .Select(static step => Operations.Converted(step.Event.Operation).Parent!)
            : [];

    private static bool IsLease(ISymbol variable, LibraryTypes types) =>
        types.IsLease(variable is ILocalSymbol local ? local.Type : ((IParameterSymbol)variable).Type);
}
