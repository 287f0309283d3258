using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Flow;

/// <summary>Tells what places do with a variable. Whatever is not known to leave the duty to dispose where it is, hands it on.</summary>
internal static class VariableUses
{
    /// <remarks>In a delegate the variable is handed on, but in one that gets pixels: that is over before the call returns, and may ask and pass.</remarks>
    public static VariableUse Of(IOperation reference, ISymbol variable, LibraryTypes types)
    {
        VariableUse use = Of(reference, types);
        return Operations.IsCaptured(reference, variable) && (use is not (VariableUse.Asks or VariableUse.Passes) || !IsInPixelDelegate(reference, types)) ? VariableUse.HandsOn : use;
    }

    /// <summary>The parameter of the method that gets a value as its argument; null when a method does not.</summary>
    public static IParameterSymbol? PassedTo(IOperation value) =>
        value.Parent is IArgumentOperation { Parameter: { RefKind: RefKind.None or RefKind.In } parameter, Parent: IInvocationOperation } ? parameter : null;

    /// <summary>Whether the variable is disposed at the end of its block, however that is left.</summary>
    public static bool IsUsing(ISymbol variable) => variable.DeclaringSyntaxReferences.Any(static declared =>
        declared.GetSyntax() is VariableDeclaratorSyntax { Parent.Parent: UsingStatementSyntax or LocalDeclarationStatementSyntax { UsingKeyword.RawKind: not 0 } });

    /// <summary>Of a field, a property, or a variable of the function around it.</summary>
    public static VariableUse Of(IOperation reference, LibraryTypes types)
    {
        IOperation value = Operations.Converted(reference);
        return value.Parent switch
        {
            IInvocationOperation call when call.Instance == value => Disposal.Is(call) ? VariableUse.Disposes : VariableUse.Asks,
            IPropertyReferenceOperation or IFieldReferenceOperation or IBinaryOperation or IIsTypeOperation => VariableUse.Asks,
            IExpressionStatementOperation or INameOfOperation or IInterpolationOperation => VariableUse.Asks,
            IIsPatternOperation test => test.Pattern.DescendantsAndSelf().Any(DeclaresVariable) ? VariableUse.HandsOn : VariableUse.Asks,
            IConditionalAccessOperation access when access.Operation == value => Of(access),
            ISimpleAssignmentOperation assignment when assignment.Target == value => VariableUse.Assigns,
            IArgumentOperation { Parameter.RefKind: RefKind.Out } => VariableUse.Assigns,
            IArgumentOperation argument when IsOnlyLookedAt(argument, types) => VariableUse.Asks,
            IArgumentOperation => PassedTo(value) is null ? VariableUse.HandsOn : VariableUse.Passes,
            IUsingOperation => VariableUse.Disposes,
            _ => VariableUse.HandsOn,
        };
    }

    private static VariableUse Of(IConditionalAccessOperation access) =>
        access.WhenNotNull is IInvocationOperation { Instance: IConditionalAccessInstanceOperation } call && Disposal.Is(call) ? VariableUse.Disposes : VariableUse.Asks;

    private static bool DeclaresVariable(IOperation pattern) => pattern is
        IDeclarationPatternOperation { DeclaredSymbol: not null } or IRecursivePatternOperation { DeclaredSymbol: not null } or IListPatternOperation { DeclaredSymbol: not null };

    // Images and leases look at other images; an allocator may take an owner over.
    private static bool IsOnlyLookedAt(IArgumentOperation argument, LibraryTypes types) =>
        argument is { Parameter: { } parameter, Parent: IInvocationOperation { TargetMethod: var method } }
        && (types.IsOwned(method.ContainingType) ? !method.IsStatic && types.IsOwned(parameter.OriginalDefinition.Type) : OnlyLooks(method));

    private static bool OnlyLooks(IMethodSymbol method) => method is
    {
        Name: "ThrowIfNull" or "KeepAlive" or "ReferenceEquals",
        ContainingType: { Name: "ArgumentNullException" or "GC" or "Object", ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } },
    };

    private static bool IsInPixelDelegate(IOperation reference, LibraryTypes types)
    {
        IOperation? around = reference;
        while (around is not (null or IAnonymousFunctionOperation or ILocalFunctionOperation))
        {
            around = around.Parent;
        }

        return around?.Parent is IDelegateCreationOperation { Type: var type } && types.IsPixelDelegate(type);
    }
}
