using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PixelPool.Analyzers.Flow;

/// <summary>Properties that store what is assigned, and do nothing else. An accessor that has a body may dispose what was there, or store a copy; that it uses <c>field</c> says nothing.</summary>
internal static class AutoProperty
{
    public static bool Is(IPropertySymbol property, CancellationToken cancellationToken) => property.DeclaringSyntaxReferences.Any(declared => declared.GetSyntax(cancellationToken) switch
    {
        // The other part of a partial one has the bodies.
        PropertyDeclarationSyntax { AccessorList.Accessors: var accessors, Modifiers: var modifiers } =>
            accessors.All(static accessor => accessor is { Body: null, ExpressionBody: null }) && !modifiers.Any(SyntaxKind.PartialKeyword),

        // Of a record.
        ParameterSyntax => true,
        _ => false,
    });
}
