using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP006: a delegate captures something where an overload would hand it over as a state.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class CapturingDelegateAnalyzer() : LibraryAnalyzer(Rules.CapturingDelegate)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.AnonymousFunction);

    private static void Analyze(OperationAnalysisContext context, LibraryTypes types)
    {
        var lambda = (IAnonymousFunctionOperation)context.Operation;
        if (lambda.Parent is IDelegateCreationOperation { Type: var type, Parent: IArgumentOperation { Parameter: { } parameter, Parent: IInvocationOperation call } }
            && types.IsPixelDelegate(type)
            && HasStateOverload(call.TargetMethod, parameter)
            && Captures.Of(lambda) is { CanBeCopied: true, IsEmpty: false } captures)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.CapturingDelegate, lambda.Syntax.GetLocation(), captures.ToString()));
        }
    }

    /// <summary>Whether a method of the same name takes a state just before the delegate, and otherwise what this one takes, or what can be left out.</summary>
    private static bool HasStateOverload(IMethodSymbol method, IParameterSymbol process) =>
        method.ContainingType.GetMembers(method.Name).OfType<IMethodSymbol>().Any(other =>
            other.Parameters.Length > method.Parameters.Length
            && other.Parameters.Skip(method.Parameters.Length + 1).All(static parameter => parameter.IsOptional)
            && other.Parameters[process.Ordinal] is { Name: "state", Type.TypeKind: TypeKind.TypeParameter }
            && other.Parameters[process.Ordinal + 1].Type is INamedTypeSymbol { Name: "PixelAccessorStateAction" }
            && other.Parameters.Skip(process.Ordinal + 2).Zip(method.Parameters.Skip(process.Ordinal + 1), static (a, b) => a.Name == b.Name).All(static same => same));
}
