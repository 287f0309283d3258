using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Flow;

/// <summary>Where a variable is put that outlives its block.</summary>
internal static class Destination
{
    /// <summary>Who has it afterwards, as a message says it; null when nobody has, or only for a while.</summary>
    public static string? Of(IOperation reference, CancellationToken cancellationToken)
    {
        IOperation value = Carrying(reference);
        return value.Parent switch
        {
            IReturnOperation { Kind: OperationKind.Return } => "the caller gets a disposed object",
            ISimpleAssignmentOperation assignment when assignment.Value == value => Of(assignment, cancellationToken),
            _ => null,
        };
    }

    private static string? Of(ISimpleAssignmentOperation assignment, CancellationToken cancellationToken) => assignment.Target switch
    {
        IParameterReferenceOperation { Parameter: { RefKind: not RefKind.None } parameter } target when !IsWrittenAgain(parameter, target) => "the caller gets a disposed object",
        IMemberReferenceOperation { Member: var member } target when Operations.IsOfThis(target) && IsStored(member, cancellationToken)
            && MemberWrites.AreOnly(assignment.Syntax, member, Code(member, cancellationToken)) =>
            $"'{member.Name}' then holds a disposed object",
        _ => null,
    };

    // What has the variable as its value, or as one of its values.
    private static IOperation Carrying(IOperation reference)
    {
        IOperation value = Operations.Converted(reference);
        while (value.Parent is ITupleOperation or ICoalesceOperation or ISwitchExpressionArmOperation or ISwitchExpressionOperation
            || (value.Parent is IConditionalOperation conditional && conditional.Condition != value))
        {
            if (value.Parent is ISwitchExpressionArmOperation arm ? arm.Value != value : value.Parent is ISwitchExpressionOperation choice && choice.Value == value)
            {
                return value;
            }

            value = Operations.Converted(value.Parent);
        }

        return value;
    }

    // Only its type writes it. A property with a body may store something else.
    private static bool IsStored(ISymbol member, CancellationToken cancellationToken) => member switch
    {
        IFieldSymbol field => field.DeclaredAccessibility == Accessibility.Private,
        IPropertySymbol property => (property.DeclaredAccessibility == Accessibility.Private || property.SetMethod is null or { DeclaredAccessibility: Accessibility.Private })
            && AutoProperty.Is(property, cancellationToken),
        _ => false,
    };

    private static bool IsWrittenAgain(IParameterSymbol parameter, IOperation target) =>
        Operations.ReferencesTo(parameter, Operations.Root(target)).Any(other => other != target && other.Parent switch
        {
            IAssignmentOperation assignment => assignment.Target == other,
            IArgumentOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref } => true,
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol.IsRef: true } } => true,
            _ => false,
        });

    private static IEnumerable<SyntaxNode> Code(ISymbol member, CancellationToken cancellationToken) =>
        member.ContainingType.DeclaringSyntaxReferences.Select(part => part.GetSyntax(cancellationToken));
}
