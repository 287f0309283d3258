using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Flow;

/// <summary>Small questions about operations that several rules ask.</summary>
internal static class Operations
{
    /// <summary>The local or parameter that an operation names, through conversions that keep it; null for everything else.</summary>
    public static ISymbol? VariableOf(IOperation? operation) => Unconverted(operation) switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IDeclarationExpressionOperation declaration => VariableOf(declaration.Expression),
        _ => null,
    };

    public static IOperation? Unconverted(IOperation? operation) => operation switch
    {
        IConversionOperation conversion when Conversion.Keeps(conversion) => Unconverted(conversion.Operand),
        IParenthesizedOperation parenthesized => Unconverted(parenthesized.Operand),
        IInvocationOperation call when Conversion.IsAsReadOnly(call) => Unconverted(call.Instance),
        _ => operation,
    };

    /// <summary>The outermost conversion around a value, or the value itself.</summary>
    public static IOperation Converted(IOperation value)
    {
        while (Conversion.Keeps(value.Parent) || value.Parent is IDeclarationExpressionOperation)
        {
            value = value.Parent!;
        }

        return value;
    }

    public static bool IsNull(IOperation? operation) => Unconverted(operation) is { ConstantValue: { HasValue: true, Value: null } };

    /// <summary>Whether a member is static, or of the object around it; not of one that is being initialized.</summary>
    public static bool IsOfThis(IMemberReferenceOperation reference) =>
        reference.Instance is null or IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance };

    /// <summary>The method, initializer or other member that an operation is in.</summary>
    public static IOperation Root(IOperation operation)
    {
        while (operation.Parent is { } parent)
        {
            operation = parent;
        }

        return operation;
    }

    /// <summary>Whether a call is all that a delegate consists of: it is written for what the call does, to throw in a test.</summary>
    public static bool IsAllThatADelegateDoes(IOperation call)
    {
        IOperation chain = call;
        while (chain.Parent is IInvocationOperation or IPropertyReferenceOperation or IConversionOperation or IArgumentOperation or IConditionalAccessOperation
            or ISimpleAssignmentOperation { Target: IDiscardOperation })
        {
            chain = chain.Parent;
        }

        return chain.Parent is IExpressionStatementOperation or IReturnOperation
            && chain.Parent.Parent is IBlockOperation { Parent: IAnonymousFunctionOperation, Syntax: ExpressionSyntax };
    }

    /// <summary>The delegate or local function that an operation is in; null directly in the method.</summary>
    public static IMethodSymbol? FunctionAround(IOperation operation)
    {
        for (IOperation? around = operation.Parent; around is not null; around = around.Parent)
        {
            switch (around)
            {
                case IAnonymousFunctionOperation lambda:
                    return lambda.Symbol;
                case ILocalFunctionOperation function:
                    return function.Symbol;
            }
        }

        return null;
    }

    /// <summary>Whether an operation is in a delegate or local function that the variable does not belong to.</summary>
    public static bool IsCaptured(IOperation reference, ISymbol variable) =>
        FunctionAround(reference) is { } function && !SymbolEqualityComparer.Default.Equals(function, variable.ContainingSymbol);

    /// <summary>Every place of a method, its delegates and local functions where a variable is named.</summary>
    public static IEnumerable<IOperation> ReferencesTo(ISymbol variable, IOperation body) =>
        body.DescendantsAndSelf().Where(operation =>
            operation is ILocalReferenceOperation or IParameterReferenceOperation && SymbolEqualityComparer.Default.Equals(VariableOf(operation), variable));

    /// <summary>Whether the variable that an operation names gets something else there.</summary>
    public static bool IsWritten(IOperation reference) => reference.Parent switch
    {
        IAssignmentOperation assignment => assignment.Target == reference,
        IArgumentOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref } => true,
        _ => Deconstruction.Writes(reference),
    };
}
