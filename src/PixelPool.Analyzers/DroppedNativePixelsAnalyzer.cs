using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP010: the context that <c>GiveToNative</c> returns is dropped, and with it the only way to release the pixels.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class DroppedNativePixelsAnalyzer() : LibraryAnalyzer(Rules.DroppedNativePixels)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.Invocation);

    private static void Analyze(OperationAnalysisContext context, LibraryTypes types)
    {
        var call = (IInvocationOperation)context.Operation;
        if (Disposal.GivesAway(call) && types.IsPin(call.TargetMethod.ContainingType) && !Operations.IsAllThatADelegateDoes(call) && IsDropped(call))
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.DroppedNativePixels, call.Syntax.GetLocation()));
        }
    }

    private static bool IsDropped(IOperation value) => value.Parent switch
    {
        IExpressionStatementOperation or ISimpleAssignmentOperation { Target: IDiscardOperation } => true,
        IConditionalAccessOperation access when access.WhenNotNull == value => IsDropped(access),
        IInvocationOperation call when call.Instance == value => call.TargetMethod.Name != "Release" && !Extension.Is(call.TargetMethod),
        IPropertyReferenceOperation property when property.Instance == value => property.Property.Name != "Context" && !Extension.Is(property.Property),
        _ => false,
    };
}
