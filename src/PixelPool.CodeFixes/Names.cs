using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PixelPool.CodeFixes;

/// <summary>Finds where code names a variable. Within its scope a name has no other meaning, except as that of a member.</summary>
internal static class Names
{
    public static IEnumerable<IdentifierNameSyntax> In(IEnumerable<SyntaxNode> scope, string variable) => scope
        .SelectMany(static node => node.DescendantNodesAndSelf())
        .OfType<IdentifierNameSyntax>()
        .Where(name => name.Identifier.Text == variable && !(name.Parent is MemberAccessExpressionSyntax access && access.Name == name));
}
