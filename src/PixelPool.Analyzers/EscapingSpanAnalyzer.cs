using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Addresses;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP004: an address that was taken from an accessor or a span is put where it outlives the delegate.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class EscapingSpanAnalyzer() : LibraryAnalyzer(Rules.EscapingSpan)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types)
    {
        context.RegisterOperationAction(operation => AnalyzeDelegate(operation, types), OperationKind.AnonymousFunction);
        context.RegisterOperationBlockAction(block => AnalyzeMethod(block, types));
    }

    private static void AnalyzeDelegate(OperationAnalysisContext context, LibraryTypes types)
    {
        var lambda = (IAnonymousFunctionOperation)context.Operation;
        if (lambda.Parent is IDelegateCreationOperation { Type: var type } && types.IsPixelDelegate(type))
        {
            Analyze(lambda.Symbol.Parameters, lambda.Body, isPixelDelegate: true, types, context.ReportDiagnostic);
        }
    }

    // A method that gets an accessor is what such a delegate calls, or is.
    private static void AnalyzeMethod(OperationBlockAnalysisContext context, LibraryTypes types)
    {
        if (context.OwningSymbol is IMethodSymbol method && method.Parameters.Any(parameter => types.IsAccessor(parameter.Type)))
        {
            foreach (IOperation body in context.OperationBlocks)
            {
                Analyze(method.Parameters, body, isPixelDelegate: false, types, context.ReportDiagnostic);
            }
        }
    }

    private static void Analyze(ImmutableArray<IParameterSymbol> parameters, IOperation body, bool isPixelDelegate, LibraryTypes types, Action<Diagnostic> report)
    {
        var spans = new PixelSpans(parameters, body, isPixelDelegate, types);
        if (spans.IsEmpty)
        {
            return;
        }

        var addresses = new PixelAddresses(body, operation => IsAddress(operation, spans));
        foreach (ISimpleAssignmentOperation assignment in body.DescendantsAndSelf().OfType<ISimpleAssignmentOperation>())
        {
            if (Place.Outlives(assignment.Target, body) && addresses.Contain(assignment.Value))
            {
                report(Diagnostic.Create(Rules.EscapingSpan, assignment.Value.Syntax.GetLocation()));
            }
        }
    }

    private static bool IsAddress(IOperation operation, PixelSpans spans) => operation switch
    {
        IAddressOfOperation address => spans.LeadInto(address.Reference),
        IInvocationOperation { TargetMethod: { Name: "AsPointer", ContainingType.Name: "Unsafe" } } call => spans.LeadInto(call.Arguments[0].Value),
        IVariableDeclaratorOperation { Symbol.IsFixed: true, Syntax: VariableDeclaratorSyntax } pinned =>
            pinned.DescendantsAndSelf().Any(part => part is ILocalReferenceOperation or IParameterReferenceOperation && spans.LeadInto(part)),
        _ => false,
    };
}
