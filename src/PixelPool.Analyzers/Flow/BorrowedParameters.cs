using System.Collections.Concurrent;
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Flow;

/// <summary>
/// The parameters of a compilation's methods that these neither keep nor dispose: whoever passes something has to dispose it afterwards, as before. Thread-safe.
/// </summary>
/// <remarks>
/// A body is read once, and what it does with a parameter is kept: that it may keep it, or the parameters it passes it to. A question follows these, each once, so methods may call
/// each other in circles.
/// </remarks>
internal sealed class BorrowedParameters(Compilation compilation, LibraryTypes types)
{
    // A question that leads to more methods is not worth its time.
    private const int MaxParameters = 32;

    private readonly ConcurrentDictionary<IParameterSymbol, ImmutableArray<IParameterSymbol>> _passedTo = new(SymbolEqualityComparer.Default);

    public bool Contain(IParameterSymbol parameter, CancellationToken cancellationToken)
    {
        var seen = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        var open = new Stack<IParameterSymbol>();
        open.Push(parameter.OriginalDefinition);
        while (open.Count > 0)
        {
            IParameterSymbol next = open.Pop();
            if (!seen.Add(next))
            {
                continue;
            }

            ImmutableArray<IParameterSymbol> passedTo = seen.Count > MaxParameters ? default : _passedTo.GetOrAdd(next, asked => PassedTo(asked, cancellationToken));
            if (passedTo.IsDefault)
            {
                return false;
            }

            foreach (IParameterSymbol other in passedTo)
            {
                open.Push(other);
            }
        }

        return true;
    }

    // Default: its method may keep or dispose it, or is not known.
    private ImmutableArray<IParameterSymbol> PassedTo(IParameterSymbol parameter, CancellationToken cancellationToken)
    {
        if (BodyOf(parameter, cancellationToken) is not ({ } body, { } known))
        {
            return default;
        }

        ImmutableArray<IParameterSymbol>.Builder passedTo = ImmutableArray.CreateBuilder<IParameterSymbol>();
        foreach (IOperation reference in Operations.ReferencesTo(known, body))
        {
            switch (VariableUses.Of(reference, known, types))
            {
                case VariableUse.Passes:
                    passedTo.Add(VariableUses.PassedTo(Operations.Converted(reference))!.OriginalDefinition);
                    break;
                case VariableUse.Disposes or VariableUse.HandsOn:
                    return default;
            }
        }

        return passedTo.ToImmutable();
    }

    // With the parameter as the body knows it: that of a partial method has two symbols.
    private (IOperation? Body, IParameterSymbol Parameter) BodyOf(IParameterSymbol parameter, CancellationToken cancellationToken)
    {
        if (parameter is { RefKind: RefKind.None or RefKind.In, ContainingSymbol: IMethodSymbol called } && !MayBeOverridden(called))
        {
            IMethodSymbol method = called.PartialImplementationPart ?? called;
            SyntaxNode? syntax = method.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(cancellationToken);
            if (syntax is MethodDeclarationSyntax { Body: not null } or MethodDeclarationSyntax { ExpressionBody: not null } or LocalFunctionStatementSyntax)
            {
#pragma warning disable RS1030 // The body is another method's, perhaps in another file: the context has no model of that. It is asked for once.
                SemanticModel model = compilation.GetSemanticModel(syntax.SyntaxTree);
#pragma warning restore RS1030

                // A member of an extension block is two methods: one of the block, which has the body, and a static one that gets the object as an argument.
                if (SymbolEqualityComparer.Default.Equals(model.GetDeclaredSymbol(syntax, cancellationToken), method))
                {
                    return (model.GetOperation(syntax, cancellationToken), method.Parameters[parameter.Ordinal]);
                }
            }
        }

        return (null, parameter);
    }

    private static bool MayBeOverridden(IMethodSymbol method) =>
        method.IsVirtual || method.IsAbstract || (method.IsOverride && !method.IsSealed && !method.ContainingType.IsSealed);
}
