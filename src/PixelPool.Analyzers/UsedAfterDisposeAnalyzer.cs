using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP002: something is used where it is disposed already, whatever way led there.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class UsedAfterDisposeAnalyzer() : LibraryAnalyzer(Rules.UsedAfterDispose)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        RegisterUsers(context, types, Analyze);

    private static void Analyze(OperationBlockAnalysisContext context, LibraryTypes types)
    {
        var graphs = new MethodGraphs(context);
        foreach (IOperation body in context.OperationBlocks)
        {
            foreach (ISymbol variable in DisposedVariables.In(body, types))
            {
                if (graphs.For(variable, body) is not { } graph)
                {
                    continue;
                }

                foreach ((FlowEvent happening, DisposalStates before) in new DisposalFlow(graph, new FollowedVariable(graph, variable)).Events())
                {
                    if (before == DisposalStates.Disposed && happening.Kind == FlowEventKind.Names && ForbiddenUse(happening.Operation, types) is { } member)
                    {
                        context.ReportDiagnostic(Diagnostic.Create(Rules.UsedAfterDispose, happening.Operation.Syntax.GetLocation(), variable.Name, member));
                    }
                }
            }
        }
    }

    private static string? ForbiddenUse(IOperation reference, LibraryTypes types)
    {
        IOperation value = Operations.Converted(reference);
        return value.Parent switch
        {
            IInvocationOperation call when call.Instance == value && Disposal.Forbids(call) => call.TargetMethod.Name,
            IPropertyReferenceOperation property when property.Instance == value && Disposal.Forbids(property) => property.Property.IsIndexer ? "this[]" : property.Property.Name,
            IArgumentOperation { Parent: IInvocationOperation { TargetMethod: var method } } when types.IsOwned(method.ContainingType) => method.Name,
            _ => null,
        };
    }
}
