using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP008: what a <c>using</c> disposes is returned or stored within its block, so whoever gets it gets a disposed object.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class HandedOutAnalyzer() : LibraryAnalyzer(Rules.HandedOut)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        context.RegisterOperationAction(operation => Analyze(operation, types), OperationKind.Using, OperationKind.UsingDeclaration);

    private static void Analyze(OperationAnalysisContext context, LibraryTypes types)
    {
        (IOperation resources, IOperation block) = context.Operation is IUsingOperation statement
            ? (statement.Resources, statement.Body)
            : (((IUsingDeclarationOperation)context.Operation).DeclarationGroup, context.Operation.Parent!);
        foreach (ISymbol variable in Disposed(resources, types))
        {
            IOperation[] references = [.. Operations.ReferencesTo(variable, block)];
            if (references.Any(IsReplacedOrGivenAway))
            {
                continue;
            }

            foreach (IOperation reference in references.Where(reference => !Operations.IsCaptured(reference, variable) && !NullTest.Guards(reference, variable)))
            {
                if (Destination.Of(reference, context.CancellationToken) is { } destination)
                {
                    context.ReportDiagnostic(Diagnostic.Create(Rules.HandedOut, reference.Syntax.GetLocation(), variable.Name, destination));
                }
            }
        }
    }

    private static IEnumerable<ISymbol> Disposed(IOperation resources, LibraryTypes types) => resources is IVariableDeclarationGroupOperation group
        ? group.Declarations
            .SelectMany(static declaration => declaration.Declarators)
            .Where(declarator => EndsWhenDisposed(declarator.Symbol.Type, types) || Creation.Behind(declarator.GetVariableInitializer()?.Value, types) is not null)
            .Select(static declarator => declarator.Symbol)
        : Operations.VariableOf(resources) is { } variable && EndsWhenDisposed(resources.Type, types) ? [variable] : [];

    // A lease may be a view of another one, whose disposal does nothing, and owners of memory are everybody's: of these it has to be seen where they come from.
    private static bool EndsWhenDisposed(ITypeSymbol? type, LibraryTypes types) => types.IsOwned(type) && !types.MayBeView(type);

    private static bool IsReplacedOrGivenAway(IOperation reference) => Operations.Converted(reference).Parent switch
    {
        ISimpleAssignmentOperation assignment => assignment.Target == reference,
        IArgumentOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref } => true,
        IInvocationOperation call => call.Instance == reference && Disposal.GivesAway(call),
        _ => false,
    };
}
