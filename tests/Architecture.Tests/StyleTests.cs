using Architecture.Tests.Reading;
using Architecture.Tests.Rules;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Architecture.Tests;

/// <summary>What the build does not know of the style: it checks all else. <c>dotnet format style</c> knows it, too, and takes minutes because it compiles everything once more.</summary>
public sealed class StyleTests
{
    private static readonly HashSet<string> s_keywords =
        ["Boolean", "Byte", "SByte", "Char", "Decimal", "Double", "Single", "Int16", "Int32", "Int64", "UInt16", "UInt32", "UInt64", "Object", "String"];

    private static readonly Lazy<SyntaxNode[]> s_files = new(static () => [.. Repository.AllFiles().AsParallel().Select(static file => LibraryReader.Parse(file).GetRoot())]);

    [Fact]
    public void Usings_are_in_order() => Rule.Holds(s_files.Value.SelectMany(static file => Misplaced([.. ((CompilationUnitSyntax)file).Usings])));

    [Fact]
    public void Members_are_named_without_this() =>
        Rule.Holds(Places(static node => node is MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax }));

    [Fact]
    public void Types_that_have_a_keyword_are_named_by_it() => Rule.Holds(Places(static node =>
        node is IdentifierNameSyntax name && s_keywords.Contains(name.Identifier.ValueText) && IsType(name)));

    /// <summary>A list without one needs an initializer of its type: when that fails for lack of memory the first time, it has failed for good.</summary>
    [Fact]
    public void Lists_of_the_library_have_a_capacity() => Rule.Holds(Places(static node =>
        node.SyntaxTree.FilePath.Contains("src/PixelPool/", StringComparison.Ordinal) && node switch
        {
            ObjectCreationExpressionSyntax { ArgumentList: null or { Arguments.Count: 0 } } made => IsList(made.Type),
            ImplicitObjectCreationExpressionSyntax { ArgumentList.Arguments.Count: 0 } or CollectionExpressionSyntax { Elements.Count: 0 } =>
                node.Parent is EqualsValueClauseSyntax { Parent: var declared } && IsList(declared switch
                {
                    VariableDeclaratorSyntax { Parent: VariableDeclarationSyntax variable } => variable.Type,
                    PropertyDeclarationSyntax property => property.Type,
                    _ => null,
                }),
            _ => false,
        }));

    private static bool IsList(TypeSyntax? type) => type is GenericNameSyntax { Identifier.ValueText: "List" };

    // Where only a type can stand, or left of a dot. Members may have these names.
    private static bool IsType(IdentifierNameSyntax name) => SyntaxFacts.IsInTypeOnlyContext(name) || (name.Parent is MemberAccessExpressionSyntax access && access.Expression == name);

    private static IEnumerable<string> Places(Func<SyntaxNode, bool> isWrong) =>
        s_files.Value.SelectMany(file => file.DescendantNodes().Where(isWrong)).Select(static node => $"{PlaceOf(node)} {node}");

    private static IEnumerable<string> Misplaced(UsingDirectiveSyntax[] usings) =>
        usings.Zip(usings.Skip(1)).Where(static pair => Compare(KeyOf(pair.First), KeyOf(pair.Second)) > 0).Select(static pair => $"{PlaceOf(pair.Second)} {pair.Second}");

    private static int Compare((int Kind, string Name) first, (int Kind, string Name) second) =>
        first.Kind != second.Kind ? first.Kind.CompareTo(second.Kind) : string.Compare(first.Name, second.Name, StringComparison.OrdinalIgnoreCase);

    // Global ones, namespaces of the runtime, others, static ones, aliases.
    private static (int Kind, string Name) KeyOf(UsingDirectiveSyntax directive)
    {
        string name = directive.NamespaceOrType.ToString();
        int kind = directive.Alias is not null ? 3 : !directive.StaticKeyword.IsKind(SyntaxKind.None) ? 2 : name == "System" || name.StartsWith("System.", StringComparison.Ordinal) ? 0 : 1;
        return (directive.GlobalKeyword.IsKind(SyntaxKind.None) ? kind + 4 : kind, directive.Alias?.Name.ToString() ?? name);
    }

    private static string PlaceOf(SyntaxNode node)
    {
        FileLinePositionSpan place = node.GetLocation().GetLineSpan();
        return $"{place.Path}:{place.StartLinePosition.Line + 1}";
    }
}
