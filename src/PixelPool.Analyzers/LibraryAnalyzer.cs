using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
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
}
