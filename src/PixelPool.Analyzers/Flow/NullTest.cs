using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Flow;

/// <summary>Conditions that tell whether a variable is null.</summary>
internal static class NullTest
{
    /// <summary>How a condition turns out when the variable is null, and otherwise does not; null when it asks something else.</summary>
    public static bool? OutcomeForNull(IOperation condition, Func<IOperation?, bool> isVariable) => Operations.Unconverted(condition) switch
    {
        IUnaryOperation { OperatorKind: UnaryOperatorKind.Not } not => !OutcomeForNull(not.Operand, isVariable),
        IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } test
            when (isVariable(test.LeftOperand) && Operations.IsNull(test.RightOperand)) || (isVariable(test.RightOperand) && Operations.IsNull(test.LeftOperand)) =>
            test.OperatorKind == BinaryOperatorKind.Equals,
        IIsPatternOperation test when isVariable(test.Value) => OutcomeForNull(test.Pattern),
        _ => null,
    };

    /// <summary>Whether a place is only reached when a variable is null, as a test around it says.</summary>
    public static bool Guards(IOperation place, ISymbol variable)
    {
        for (IOperation inner = place; inner.Parent is { } around; inner = around)
        {
            if (around is IConditionalOperation choice && OutcomeForNull(choice.Condition, IsVariable) is { } onNull && inner == (onNull ? choice.WhenTrue : choice.WhenFalse))
            {
                return true;
            }
        }

        return false;

        bool IsVariable(IOperation? operation) => SymbolEqualityComparer.Default.Equals(Operations.VariableOf(operation), variable);
    }

    private static bool? OutcomeForNull(IPatternOperation pattern) => pattern switch
    {
        INegatedPatternOperation not => !OutcomeForNull(not.Pattern),
        IConstantPatternOperation constant when Operations.IsNull(constant.Value) => true,
        IRecursivePatternOperation { PropertySubpatterns.IsEmpty: true, DeconstructionSubpatterns.IsEmpty: true } => false,
        _ => null,
    };
}
