using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>An analyzer of one rule, which costs nothing where PixelPool is not referenced.</summary>
internal abstract class LibraryAnalyzer(DiagnosticDescriptor rule) : DiagnosticAnalyzer
{
    public sealed override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(rule);

    public sealed override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(start =>
        {
            if (LibraryTypes.Find(start.Compilation) is { } types)
            {
                Register(start, types);
            }
        });
    }

    /// <summary>Asks for what the rule looks at, in a compilation that knows PixelPool.</summary>
    protected abstract void Register(CompilationStartAnalysisContext context, LibraryTypes types);

    /// <summary>Asks for the methods that use PixelPool. The others, nearly all of a large application, are not read twice.</summary>
    protected static void RegisterUsers(CompilationStartAnalysisContext context, LibraryTypes types, Action<OperationBlockAnalysisContext, LibraryTypes> analyze) =>
        context.RegisterOperationBlockStartAction(method =>
        {
            int uses = 0;
            method.RegisterOperationAction(
                operation =>
                {
                    if (types.IsOurs(Member(operation.Operation)))
                    {
                        Volatile.Write(ref uses, 1);
                    }
                },
                OperationKind.Invocation,
                OperationKind.ObjectCreation,
                OperationKind.PropertyReference);
            method.RegisterOperationBlockEndAction(block =>
            {
                if (Volatile.Read(ref uses) != 0)
                {
                    analyze(block, types);
                }
            });
        });

    private static ISymbol? Member(IOperation operation) => operation switch
    {
        IInvocationOperation call => call.TargetMethod,
        IObjectCreationOperation made => made.Constructor,
        IPropertyReferenceOperation property => property.Property,
        _ => null,
    };
}
