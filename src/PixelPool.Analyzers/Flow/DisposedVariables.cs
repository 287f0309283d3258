using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Flow;

/// <summary>The locals and parameters of a method that hold something of PixelPool, and that it disposes.</summary>
internal static class DisposedVariables
{
    public static IEnumerable<ISymbol> In(IOperation body, LibraryTypes types) =>
        body.DescendantsAndSelf()
            .Select(static operation => operation switch
            {
                IInvocationOperation call when Disposal.Is(call) => Operations.VariableOf(Receiver(call)),
                IUsingOperation statement => Operations.VariableOf(statement.Resources),
                _ => null,
            })
            .Where(variable => variable is not null && Holds(variable, body, types) && !IsWrittenElsewhere(variable, body) && !Borrows(variable, body, types))
            .Distinct<ISymbol?>(SymbolEqualityComparer.Default)!;

    private static IOperation? Receiver(IInvocationOperation call) =>
        call is { Instance: IConditionalAccessInstanceOperation, Parent: IConditionalAccessOperation access } ? access.Operation : call.Instance;

    // Owners of memory are everybody's: one is followed when it is seen where it comes from.
    private static bool Holds(ISymbol variable, IOperation body, LibraryTypes types) => TypeOf(variable) is var type
        && (types.IsOwned(type) || (LibraryTypes.IsMemoryOwner(type) && body.DescendantsAndSelf().Any(part => Creation.Of(part, types) is not null && Gets(variable, part))));

    // A view of a lease is not the lease: it can be disposed as often as one likes.
    private static bool Borrows(ISymbol variable, IOperation body, LibraryTypes types) =>
        body.DescendantsAndSelf().Any(part => part is IInvocationOperation call && Creation.IsBorrowed(call.TargetMethod, types) && Gets(variable, part));

    private static bool Gets(ISymbol variable, IOperation creation) => Creation.ValueOf(creation).Parent switch
    {
        IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol: var local } } => SymbolEqualityComparer.Default.Equals(local, variable),
        ISimpleAssignmentOperation assignment => SymbolEqualityComparer.Default.Equals(Operations.VariableOf(assignment.Target), variable),
        _ => false,
    };

    // In a delegate or a local function, that is: nothing tells when they run.
    private static bool IsWrittenElsewhere(ISymbol variable, IOperation body) =>
        Operations.ReferencesTo(variable, body).Any(reference => Operations.IsCaptured(reference, variable) && Operations.IsWritten(reference));

    private static ITypeSymbol? TypeOf(ISymbol variable) => variable switch
    {
        ILocalSymbol local => local.Type,
        IParameterSymbol parameter => parameter.Type,
        _ => null,
    };
}
