using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP009: a type rents for a private field, and no code of the type disposes it or hands it on.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class UndisposedFieldAnalyzer() : LibraryAnalyzer(Rules.UndisposedField)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types)
    {
        var members = new OwningMembers(context.Compilation, types);
        context.RegisterSymbolAction(symbol => Analyze(symbol, members, types), SymbolKind.NamedType);
    }

    private static void Analyze(SymbolAnalysisContext context, OwningMembers members, LibraryTypes types)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>().Where(field => !field.IsStatic && Creation.IsOwnable(field.Type, types)))
        {
            ISymbol member = field.AssociatedSymbol ?? field;
            if (member.DeclaredAccessibility == Accessibility.Private && (member is not IPropertySymbol property || AutoProperty.Is(property, context.CancellationToken)))
            {
                foreach (IOperation creation in members.UndisposedCreations(member, context.CancellationToken))
                {
                    context.ReportDiagnostic(Diagnostic.Create(
                        Rules.UndisposedField, creation.Syntax.GetLocation(), type.Name, member.Name, Creation.NounFor(field.Type, Creation.NameOf(creation))));
                }
            }
        }
    }
}
