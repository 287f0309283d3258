using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Flow;

/// <summary>Whether what is rented from somewhere may have to wait for a budget, as far as the code in sight tells.</summary>
internal static class Budget
{
    /// <summary>True for an allocator whose making is not in sight; false for a scope like that, because a reserved scope never waits.</summary>
    public static bool MayLimit(IOperation source, LibraryTypes types)
    {
        IOperation made = Making(source) ?? source;
        return Operations.Unconverted(made) switch
        {
            IPropertyReferenceOperation { Property: { Name: "Shared", IsStatic: true } } => false,
            IInvocationOperation { TargetMethod: { Name: "Create", IsStatic: true } } create => create.Arguments.Any(static argument => HasBudget(argument.Value)),
            IInvocationOperation { TargetMethod.Name: "CreateScope" } => true,
            IObjectCreationOperation { Arguments: { Length: 1 } allocator } scope when types.IsScope(scope.Type) => MayLimit(allocator[0].Value, types),
            { Type: var type } => types.IsAllocator(type),
            _ => false,
        };
    }

    // Options that come from elsewhere may have one. Those that are written here say so.
    private static bool HasBudget(IOperation options) => Operations.Unconverted(options) switch
    {
        IObjectCreationOperation { Initializer: var initializer } => initializer?.Initializers.Any(static set =>
            set is ISimpleAssignmentOperation { Target: IPropertyReferenceOperation { Property.Name: "MaxRentedBytes" }, Value: var value } && !Operations.IsNull(value)) ?? false,
        var plain => !Operations.IsNull(plain) && plain is not IDefaultValueOperation,
    };

    /// <summary>What a local of this method was made with, if it is never given anything else; null for everything else.</summary>
    private static IOperation? Making(IOperation source)
    {
        if (Operations.Unconverted(source) is not ILocalReferenceOperation { Local: var local })
        {
            return null;
        }

        IOperation body = Operations.Root(source);
        return body.DescendantsAndSelf().Any(operation => operation is ISimpleAssignmentOperation { Target: var target } && SymbolEqualityComparer.Default.Equals(Operations.VariableOf(target), local))
            ? null
            : body.DescendantsAndSelf()
                .OfType<IVariableDeclaratorOperation>()
                .FirstOrDefault(declarator => SymbolEqualityComparer.Default.Equals(declarator.Symbol, local))
                ?.GetVariableInitializer()?.Value;
    }
}
