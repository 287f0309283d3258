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
    public static IParameterSymbol? PassedTo(IOperation value) => value.Parent switch
    {
        IArgumentOperation { Parameter: { RefKind: RefKind.None or RefKind.In } parameter, Parent: IInvocationOperation } => parameter,
        IConditionalAccessOperation access when access.Operation == value && NotNull(access) is { } same => PassedTo(Operations.Converted(same)),
        _ => null,
    };

    /// <summary>Whether the variable is disposed at the end of its block, however that is left.</summary>
    public static bool IsUsing(ISymbol variable) => variable.DeclaringSyntaxReferences.Any(static declared =>
        declared.GetSyntax() is VariableDeclaratorSyntax { Parent.Parent: UsingStatementSyntax or LocalDeclarationStatementSyntax { UsingKeyword.RawKind: not 0 } });

    /// <summary>Of a field, a property, or a variable of the function around it.</summary>
    public static VariableUse Of(IOperation reference, LibraryTypes types)
    {
        IOperation value = Operations.Converted(reference);
        return value.Parent switch
        {
            IInvocationOperation call when call.Instance == value => Disposal.Is(call) ? VariableUse.Disposes : Asking(call.TargetMethod),
            IPropertyReferenceOperation { Property: var property } => Asking(property),
            IBinaryOperation { OperatorMethod: var method } => method is null || types.IsOurs(method) ? VariableUse.Asks : VariableUse.HandsOn,
            IFieldReferenceOperation or IIsTypeOperation or IExpressionStatementOperation or INameOfOperation or IInterpolationOperation => VariableUse.Asks,
            IIsPatternOperation test => test.Pattern.DescendantsAndSelf().Any(DeclaresVariableOrRunsExtension) ? VariableUse.HandsOn : VariableUse.Asks,
            IConditionalAccessOperation access when access.Operation == value => NotNull(access) is { } same ? Of(same, types) : VariableUse.HandsOn,
            ISimpleAssignmentOperation assignment when assignment.Target == value => VariableUse.Assigns,
            IArgumentOperation { Parameter.RefKind: RefKind.Out } => VariableUse.Assigns,
            IArgumentOperation argument when IsOnlyLookedAt(argument, types) => VariableUse.Asks,
            IArgumentOperation => PassedTo(value) is null ? VariableUse.HandsOn : VariableUse.Passes,
            IUsingOperation => VariableUse.Disposes,
            _ => VariableUse.HandsOn,
        };
    }

    // What is left of "?." as the right side names it: that of an extension is an argument. Further accesses within begin after it.
    private static IOperation? NotNull(IConditionalAccessOperation access) =>
        access.WhenNotNull.DescendantsAndSelf().FirstOrDefault(static part => part is IConditionalAccessInstanceOperation);

    private static VariableUse Asking(ISymbol member) => Extension.Is(member) ? VariableUse.HandsOn : VariableUse.Asks;

    private static bool DeclaresVariableOrRunsExtension(IOperation pattern) =>
        pattern is IDeclarationPatternOperation { DeclaredSymbol: not null } or IRecursivePatternOperation { DeclaredSymbol: not null } or IListPatternOperation { DeclaredSymbol: not null }
        || (pattern is IPropertyReferenceOperation { Property: var property } && Extension.Is(property));

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
