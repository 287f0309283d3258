using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Architecture.Tests.Reading;

/// <summary>
/// Finds what uses what. A type uses the types that it names, and those whose members it names, wherever in its declaration. Nested types
/// count as the type around them.
/// </summary>
internal sealed class UseReader(CSharpCompilation compilation)
{
    private readonly ConcurrentDictionary<INamedTypeSymbol, LibraryType> _types = new(SymbolEqualityComparer.Default);

    /// <summary>The types that were met, in the order of their names.</summary>
    public IReadOnlyList<LibraryType> Types => [.. _types.Values.OrderBy(static type => type.Name, StringComparer.Ordinal)];

    /// <summary>What is written in one file. Files may be read at the same time.</summary>
    public IEnumerable<Use> Read(SyntaxTree tree)
    {
        SemanticModel model = compilation.GetSemanticModel(tree);
        foreach (BaseTypeDeclarationSyntax declaration in Declarations(tree))
        {
            LibraryType from = TypeOf(model.GetDeclaredSymbol(declaration)!);
            foreach (SimpleNameSyntax name in declaration.DescendantNodes().OfType<SimpleNameSyntax>())
            {
                if (Meant(model.GetSymbolInfo(name)) is { } meant && IsOurs(meant) && TypeOf(meant) is var to && to != from)
                {
                    yield return new Use(from, to, tree.FilePath, name.GetLocation().GetLineSpan().StartLinePosition.Line + 1);
                }
            }
        }
    }

    /// <summary>The declarations of types that are not inside of another one. A delegate is not among them: a signature does nothing with what it names.</summary>
    private static IEnumerable<BaseTypeDeclarationSyntax> Declarations(SyntaxTree tree) =>
        tree.GetRoot().DescendantNodes(static node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax).OfType<BaseTypeDeclarationSyntax>();

    /// <summary>The type that a name stands for, or the one whose member it stands for. What cannot be called still says whose it is.</summary>
    private static INamedTypeSymbol? Meant(SymbolInfo found) =>
        (found.Symbol ?? found.CandidateSymbols.FirstOrDefault()) is { } symbol ? symbol as INamedTypeSymbol ?? symbol.ContainingType : null;

    private bool IsOurs(INamedTypeSymbol type) => SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly);

    private LibraryType TypeOf(INamedTypeSymbol symbol)
    {
        INamedTypeSymbol type = symbol;
        while (type.ContainingType is { } around)
        {
            type = around;
        }

        return _types.GetOrAdd(type.OriginalDefinition, Describe);
    }

    private static LibraryType Describe(INamedTypeSymbol type)
    {
        string[] files = [.. type.DeclaringSyntaxReferences.Select(static declared => declared.SyntaxTree.FilePath).Distinct().OrderBy(NameLength)];
        string name = type.Arity == 0 ? type.Name : $"{type.Name}<{type.Arity}>";
        return new LibraryType(name, SourceFile.FolderOf(files[0]), files, type.TypeKind == TypeKind.Delegate);
    }

    private static int NameLength(string path) => path.Length - path.LastIndexOf('/');
}
