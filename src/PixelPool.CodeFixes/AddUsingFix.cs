using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using PixelPool.Analyzers;

namespace PixelPool.CodeFixes;

/// <summary>PXP001: writes <c>using</c> before a declaration. Where the local is disposed on some ways already, somebody has to think.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp)]
[Shared]
internal sealed class AddUsingFix : CodeFixProvider
{
    private const string Title = "Add 'using'";

    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(Rules.NotDisposed.Id);

    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode root = (await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false))!;
        foreach (Diagnostic diagnostic in context.Diagnostics)
        {
            if (DeclarationOf(root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true)) is { } declaration)
            {
                context.RegisterCodeFix(CodeAction.Create(Title, _ => Task.FromResult(AddUsing(context.Document, root, declaration)), Title), diagnostic);
            }
        }
    }

    private static LocalDeclarationStatementSyntax? DeclarationOf(SyntaxNode creation)
    {
        ExpressionSyntax? value = creation.FirstAncestorOrSelf<ExpressionSyntax>();
        while (value?.Parent is AwaitExpressionSyntax or ParenthesizedExpressionSyntax
            or MemberAccessExpressionSyntax { Name.Identifier.Text: "ConfigureAwait" } or InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax })
        {
            value = (ExpressionSyntax)value.Parent;
        }

        return value?.Parent is EqualsValueClauseSyntax
        {
            Parent: VariableDeclaratorSyntax { Identifier.Text: var name, Parent: VariableDeclarationSyntax { Variables.Count: 1, Parent: LocalDeclarationStatementSyntax declaration } }
        }
            && declaration.Parent is BlockSyntax or GlobalStatementSyntax
            && !IsWrittenOrDisposed(name, declaration)
            ? declaration
            : null;
    }

    // A local of a "using" cannot get another value.
    private static bool IsWrittenOrDisposed(string name, LocalDeclarationStatementSyntax declaration)
    {
        SyntaxNode scope = declaration.Parent is GlobalStatementSyntax top ? top.Parent! : declaration.Parent!;
        return scope.DescendantNodes().OfType<IdentifierNameSyntax>().Any(reference => reference.Identifier.Text == name && reference.Parent switch
        {
            AssignmentExpressionSyntax assignment => assignment.Left == reference,
            ArgumentSyntax argument => !argument.RefKindKeyword.IsKind(SyntaxKind.None),
            MemberAccessExpressionSyntax access => access.Expression == reference && access.Name.Identifier.Text == "Dispose",
            ConditionalAccessExpressionSyntax { WhenNotNull: InvocationExpressionSyntax { Expression: MemberBindingExpressionSyntax { Name.Identifier.Text: "Dispose" } } } => true,
            _ => false,
        });
    }

    private static Document AddUsing(Document document, SyntaxNode root, LocalDeclarationStatementSyntax declaration)
    {
        SyntaxToken keyword = SyntaxFactory.Token(declaration.GetLeadingTrivia(), SyntaxKind.UsingKeyword, SyntaxFactory.TriviaList(SyntaxFactory.Space));
        return document.WithSyntaxRoot(root.ReplaceNode(declaration, declaration.WithLeadingTrivia().WithUsingKeyword(keyword)));
    }
}
