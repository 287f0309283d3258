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
                foreach (SyntaxNode second in SecondDisposals(lease, body, graphs).Distinct())
                {
                    context.ReportDiagnostic(Diagnostic.Create(Rules.DisposedTwice, second.GetLocation(), lease.Name));
                }
            }
        }
    }

    private static IEnumerable<SyntaxNode> SecondDisposals(ISymbol lease, IOperation body, MethodGraphs graphs) => VariableUses.IsUsing(lease)
        ? DisposalsIn(body, lease)
        : BlocksOf(lease, body).SelectMany(block => DisposalsIn(block, lease)).Concat(DisposalsOfDisposed(lease, body, graphs));

    // The end of its block disposes it anyhow.
    private static IEnumerable<SyntaxNode> DisposalsIn(IOperation block, ISymbol lease) =>
        block.DescendantsAndSelf()
            .Where(operation => operation is IInvocationOperation call && Disposal.Is(call) && SymbolEqualityComparer.Default.Equals(Operations.VariableOf(call.Instance), lease))
            .Select(static call => call.Syntax);

    // Of "using (lease)". One that puts another lease into the variable may dispose that.
    private static IEnumerable<IOperation> BlocksOf(ISymbol lease, IOperation body) =>
        body.DescendantsAndSelf()
            .OfType<IUsingOperation>()
            .Where(block => SymbolEqualityComparer.Default.Equals(Operations.VariableOf(block.Resources), lease)
                && Operations.ReferencesTo(lease, block.Body).All(static reference => !Operations.IsWritten(reference)))
            .Select(static block => block.Body);

    private static IEnumerable<SyntaxNode> DisposalsOfDisposed(ISymbol lease, IOperation body, MethodGraphs graphs) =>
        graphs.For(lease, body) is { } graph
            ? new DisposalFlow(graph, new FollowedVariable(graph, lease)).Events()
                .Where(static step => step is { Before: DisposalStates.Disposed, Event: { Kind: FlowEventKind.Disposes, Operation.IsImplicit: false } })
                .Select(static step => Operations.Converted(step.Event.Operation).Parent!.Syntax)
            : [];

    private static bool IsLease(ISymbol variable, LibraryTypes types) =>
        types.IsLease(variable is ILocalSymbol local ? local.Type : ((IParameterSymbol)variable).Type);
}
