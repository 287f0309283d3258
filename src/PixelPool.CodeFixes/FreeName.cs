using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace PixelPool.CodeFixes;

/// <summary>Finds a name for something that a code fix declares.</summary>
internal static class FreeName
{
    /// <summary>The name, or a longer one, that nothing has that can be named at a position or stands in a scope.</summary>
    public static string Like(string name, SyntaxNode scope, int position, SemanticModel model)
    {
        var taken = new HashSet<string>(scope.DescendantTokens().Where(static token => token.IsKind(SyntaxKind.IdentifierToken)).Select(static token => token.ValueText));
        string free = name;
        for (int number = 2; taken.Contains(free) || model.LookupSymbols(position, name: free).Length > 0; number++)
        {
            free = name + number;
        }

        return free;
    }
}
