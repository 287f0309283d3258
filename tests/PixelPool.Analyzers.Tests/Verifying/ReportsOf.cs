using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PixelPool.Analyzers.Tests.Verifying;

/// <summary>What an analyzer reports of a document, as "Fix all" and <c>dotnet format</c> ask for it.</summary>
internal sealed class ReportsOf(DiagnosticAnalyzer analyzer) : FixAllContext.DiagnosticProvider
{
    public override async Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(Document document, CancellationToken cancellationToken) =>
        await Compiling.AnalyzeAsync((await document.Project.GetCompilationAsync(cancellationToken))!, analyzer);

    public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(Project project, CancellationToken cancellationToken) =>
        Task.FromResult<IEnumerable<Diagnostic>>(ImmutableArray<Diagnostic>.Empty);

    public override Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(Project project, CancellationToken cancellationToken) =>
        GetDocumentDiagnosticsAsync(project.Documents.Single(), cancellationToken);
}
