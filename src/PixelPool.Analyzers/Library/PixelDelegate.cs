using Microsoft.CodeAnalysis;

namespace PixelPool.Analyzers.Library;

/// <summary>Whether a method that takes a delegate for pixels can hand it a state.</summary>
internal static class PixelDelegate
{
    /// <summary>Whether this parameter's delegate gets a state already.</summary>
    public static bool HasState(IParameterSymbol process) =>
        process is { Ordinal: > 0, ContainingSymbol: IMethodSymbol { OriginalDefinition.Parameters: var parameters } } && IsState(parameters[process.Ordinal - 1]);

    /// <summary>The method of the same name that takes a state just before the delegate, and otherwise what this one takes, for a result or for none. What is added can be left out.</summary>
    public static IMethodSymbol? OverloadWithState(IParameterSymbol process, LibraryTypes types) =>
        process.ContainingSymbol is IMethodSymbol { OriginalDefinition: var method }
            ? method.ContainingType.GetMembers(method.Name).OfType<IMethodSymbol>().FirstOrDefault(other =>
                other.ReturnsVoid == method.ReturnsVoid
                && other.Parameters.Length > process.Ordinal + 1
                && IsState(other.Parameters[process.Ordinal])
                && types.IsPixelDelegate(other.Parameters[process.Ordinal + 1].Type)
                && Names(other.Parameters.Take(process.Ordinal)).SequenceEqual(Names(method.Parameters.Take(process.Ordinal)))
                && !Names(method.Parameters).Except(Names(other.Parameters)).Any()
                && other.Parameters.Skip(process.Ordinal + 2).All(parameter => parameter.IsOptional || Names(method.Parameters).Contains(parameter.Name)))
            : null;

    private static bool IsState(IParameterSymbol parameter) => parameter is { Name: "state", Type.TypeKind: TypeKind.TypeParameter };

    private static IEnumerable<string> Names(IEnumerable<IParameterSymbol> parameters) => parameters.Select(static parameter => parameter.Name);
}
