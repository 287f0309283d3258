using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Library;

/// <summary>What a delegate takes with it from the method around it.</summary>
internal sealed class Captures
{
    private Captures(ImmutableArray<ISymbol> variables, bool takesThis, bool canBeCopied) => (Variables, TakesThis, CanBeCopied) = (variables, takesThis, canBeCopied);

    /// <summary>Locals and parameters, in the order in which they are named first.</summary>
    public ImmutableArray<ISymbol> Variables { get; }

    /// <summary>Whether it uses a member of the object around it.</summary>
    public bool TakesThis { get; }

    /// <summary>Whether copies would do: nothing is written to what it captures, and all of it can be the type of a state.</summary>
    public bool CanBeCopied { get; }

    public bool IsEmpty => Variables.IsEmpty && !TakesThis;

    public static Captures Of(IAnonymousFunctionOperation lambda)
    {
        ImmutableArray<ISymbol>.Builder variables = ImmutableArray.CreateBuilder<ISymbol>();
        bool takesThis = false;
        bool canBeCopied = true;
        foreach (IOperation operation in lambda.Body.Descendants())
        {
            switch (operation)
            {
                case ILocalReferenceOperation { Local: { IsConst: false } local } when IsOutside(local, lambda):
                    Add(local, local.Type, operation);
                    break;
                case IParameterReferenceOperation { Parameter: var parameter } when IsOutside(parameter, lambda):
                    Add(parameter, parameter.Type, operation);
                    break;
                case IInstanceReferenceOperation { ReferenceKind: InstanceReferenceKind.ContainingTypeInstance }:
                    takesThis = true;
                    break;
                case IInvocationOperation { TargetMethod: { MethodKind: MethodKind.LocalFunction } function } when IsOutside(function, lambda) && !function.IsStatic:
                case IMethodReferenceOperation { Method: { MethodKind: MethodKind.LocalFunction } named } when IsOutside(named, lambda) && !named.IsStatic:
                    canBeCopied = false; // it has captures of its own
                    break;
            }
        }

        return new Captures(variables.ToImmutable(), takesThis, canBeCopied);

        void Add(ISymbol variable, ITypeSymbol type, IOperation reference)
        {
            canBeCopied &= type is not (IPointerTypeSymbol or IFunctionPointerTypeSymbol) && !type.IsRefLikeType && !MayWrite(reference);
            if (!variables.Contains(variable, SymbolEqualityComparer.Default))
            {
                variables.Add(variable);
            }
        }
    }

    public override string ToString() =>
        string.Join(", ", Variables.Select(static variable => $"'{variable.Name}'").Concat(TakesThis ? ["'this'"] : Array.Empty<string>()));

    // Where it is declared does not tell: the parts of a query have parameters of their own, all of which it declares in one place.
    private static bool IsOutside(ISymbol symbol, IAnonymousFunctionOperation lambda)
    {
        for (ISymbol? around = symbol.ContainingSymbol; around is IMethodSymbol; around = around.ContainingSymbol)
        {
            if (SymbolEqualityComparer.Default.Equals(around, lambda.Symbol))
            {
                return false;
            }
        }

        return true;
    }

    private static bool MayWrite(IOperation reference) => reference.Parent switch
    {
        IAssignmentOperation assignment => assignment.Target == reference,
        IIncrementOrDecrementOperation or IAddressOfOperation => true,
        ITupleOperation => Deconstruction.Writes(reference),
        IArgumentOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out } => true,
        IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol.IsRef: true } } => true,

        // A struct changes when one of its fields does, or when a method of it says so.
        IFieldReferenceOperation field when IsMutableStruct(reference.Type) => MayWrite(field),
        IInvocationOperation { TargetMethod.IsReadOnly: false } call when call.Instance == reference => IsMutableStruct(reference.Type),
        IPropertyReferenceOperation property when property.Instance == reference && IsMutableStruct(reference.Type) => MayWrite(property),
        _ => false,
    };

    private static bool IsMutableStruct(ITypeSymbol? type) =>
        type is { IsValueType: true, IsReadOnly: false, SpecialType: SpecialType.None, TypeKind: not TypeKind.Enum } || type is { TypeKind: TypeKind.TypeParameter };
}
