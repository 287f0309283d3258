using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP006: a delegate captures something that the method, or an overload of it, would hand over as a state.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class CapturingDelegateAnalyzer() : LibraryAnalyzer(Rules.CapturingDelegate)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.AnonymousFunction);

    private static void Analyze(OperationAnalysisContext context, LibraryTypes types)
    {
        var lambda = (IAnonymousFunctionOperation)context.Operation;
        if (lambda.Parent is IDelegateCreationOperation { Type: var type, Parent: IArgumentOperation { Parameter: { } parameter } }
            && types.IsPixelDelegate(type)
            && (PixelDelegate.HasState(parameter) || PixelDelegate.OverloadWithState(parameter, types) is not null)
            && Captures.Of(lambda) is { CanBeCopied: true, IsEmpty: false } captures)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.CapturingDelegate, lambda.Syntax.GetLocation(), captures.ToString()));
        }
    }
}
