using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Flow;

/// <summary>Fields and properties that only their type can name: all that is done with them is in sight. Thread-safe.</summary>
internal sealed class OwningMembers(Compilation compilation, LibraryTypes types)
{
    private readonly BorrowedParameters _borrowed = new(compilation, types);

    /// <summary>The calls whose results it gets, if nothing in its type, or in types within that, disposes it or hands it on; otherwise none.</summary>
    public IReadOnlyCollection<IOperation> UndisposedCreations(ISymbol member, CancellationToken cancellationToken)
    {
        var creations = new List<IOperation>();
        foreach (IGrouping<SyntaxTree, SyntaxReference> parts in member.ContainingType.DeclaringSyntaxReferences.GroupBy(static part => part.SyntaxTree))
        {
#pragma warning disable RS1030 // The type may have parts in other files, of which the context has no model.
            SemanticModel model = compilation.GetSemanticModel(parts.Key);
#pragma warning restore RS1030
            foreach (SyntaxNode named in parts.SelectMany(part => PlacesOf(member, part.GetSyntax(cancellationToken))))
            {
                if (named is EqualsValueClauseSyntax { Value: var initial })
                {
                    if (SymbolEqualityComparer.Default.Equals(model.GetDeclaredSymbol(named.Parent!, cancellationToken), member))
                    {
                        Add(Creation.Behind(model.GetOperation(initial, cancellationToken), types));
                    }
                }
                else if (SymbolEqualityComparer.Default.Equals(model.GetSymbolInfo(named, cancellationToken).Symbol?.OriginalDefinition, member)
                    && !Keeps(model.GetOperation(named, cancellationToken)))
                {
                    return [];
                }
            }
        }

        return creations;

        // Whether the duty to dispose stays with the member.
        bool Keeps(IOperation? reference)
        {
            if (reference is null)
            {
                return false;
            }

            IOperation value = Operations.Converted(reference);
            if (value.Parent is IAssignmentOperation { Parent: IExpressionStatementOperation } and (ISimpleAssignmentOperation or ICoalesceAssignmentOperation))
            {
                var assignment = (IAssignmentOperation)value.Parent;
                if (assignment.Target == value)
                {
                    Add(Creation.Behind(assignment.Value, types));
                    return true;
                }
            }

            if (value.Parent is IArgumentOperation argument && Creation.OfOut(argument, types) is not null)
            {
                Add(argument.Parent);
                return true;
            }

            return VariableUses.Of(reference, types) switch
            {
                VariableUse.Asks => true,
                VariableUse.Passes => _borrowed.Contain(VariableUses.PassedTo(value)!, cancellationToken),
                VariableUse.Assigns => value.Parent is IArgumentOperation,
                _ => false,
            };
        }

        void Add(IOperation? creation)
        {
            if (creation is not null)
            {
                creations.Add(creation);
            }
        }
    }

    // Expressions that may name it, and what it may begin with.
    private static IEnumerable<SyntaxNode> PlacesOf(ISymbol member, SyntaxNode type)
    {
        foreach (SyntaxNode node in type.DescendantNodes())
        {
            switch (node)
            {
                case IdentifierNameSyntax { Identifier.ValueText: var name } when name == member.Name:
                    yield return node.Parent is MemberAccessExpressionSyntax access && access.Name == node ? access
                        : node.Parent is MemberBindingExpressionSyntax ? node.Parent : node;
                    break;
                case VariableDeclaratorSyntax { Identifier.ValueText: var name, Initializer: { } initializer } when name == member.Name:
                    yield return initializer;
                    break;
                case PropertyDeclarationSyntax { Identifier.ValueText: var name, Initializer: { } initializer } when name == member.Name:
                    yield return initializer;
                    break;
            }
        }
    }
}
