using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP007: an async method asks synchronously where it could wait for the budget.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class SynchronousRentAnalyzer() : LibraryAnalyzer(Rules.SynchronousRent)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.Invocation);

    private static void Analyze(OperationAnalysisContext context, LibraryTypes types)
    {
        var call = (IInvocationOperation)context.Operation;
        if (BudgetRequest.Of(call, types) is { } request
            && IsInAsync(call, context.ContainingSymbol)
            && Budget.MayLimit(request.Source, types)
            && Awaiting.IsPossibleAt(call))
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.SynchronousRent, call.Syntax.GetLocation(), call.TargetMethod.Name, request.Sibling.Name));
        }
    }

    private static bool IsInAsync(IOperation call, ISymbol method) => (Operations.FunctionAround(call) ?? method) switch
    {
        IMethodSymbol { IsAsync: true } => true,
        IMethodSymbol { Name: "<Main>$" } => call.Syntax.SyntaxTree.GetRoot().DescendantNodes(static node => node is not AnonymousFunctionExpressionSyntax)
            .Any(static node => node.IsKind(SyntaxKind.AwaitExpression)),
        _ => false,
    };
}
