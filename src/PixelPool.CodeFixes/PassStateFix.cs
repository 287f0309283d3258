using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers;
using PixelPool.Analyzers.Library;

namespace PixelPool.CodeFixes;

/// <summary>
/// PXP006: passes what a delegate captures as its state. One that uses the object around it, or has a state already, is left to its author; and so is one whose state would be taken for
/// something else, such as an image for another one to process.
/// </summary>
[ExportCodeFixProvider(LanguageNames.CSharp)]
[Shared]
internal sealed class PassStateFix : CodeFixProvider
{
    private const string Title = "Pass it as the state of a static delegate";

    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(Rules.CapturingDelegate.Id);

    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode root = (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false))!;
        SemanticModel model = (await context.Document.GetSemanticModelAsync(context.CancellationToken).ConfigureAwait(false))!;
        if (root.SyntaxTree.Options is CSharpParseOptions { LanguageVersion: < LanguageVersion.CSharp9 })
        {
            return; // no static delegates there
        }

        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true) is LambdaExpressionSyntax
                {
                    Parent: ArgumentSyntax { Parent.Parent: InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax { Name: IdentifierNameSyntax } } call } argument
                } lambda
                && model.GetOperation(lambda, context.CancellationToken) is IAnonymousFunctionOperation operation
                && Captures.Of(operation) is { TakesThis: false } captures
                && operation.Parent?.Parent is IArgumentOperation { Parameter: { } process }
                && !PixelDelegate.HasState(process)
                && LibraryTypes.Find(model.Compilation) is { } types
                && PixelDelegate.OverloadWithState(process, types) is { } overload
                && new StatePassing(model, captures, overload).Rewrite(call, argument, lambda) is var rewritten
                && SymbolEqualityComparer.Default.Equals(overload, Called(rewritten, call.SpanStart, model)))
            {
                context.RegisterCodeFix(
                    CodeAction.Create(
                        Title,
                        _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(call, rewritten))),
                        Title),
                    diagnostic);
            }
        }
    }

    // What the compiler will choose. It knows of several methods which one takes these arguments, and by which version of the language.
    private static ISymbol? Called(InvocationExpressionSyntax call, int position, SemanticModel model) =>
        model.GetSpeculativeSymbolInfo(position, call, SpeculativeBindingOption.BindAsExpression).Symbol?.OriginalDefinition;
}
