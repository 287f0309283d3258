using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace PixelPool.CodeFixes;

/// <summary>
/// Whether the memory of a variable may be used after a scope: by a task or a sequence, because it is returned, or because something keeps it. Locals that lead into the memory are followed.
/// In doubt it may.
/// </summary>
/// <param name="model">What the code means.</param>
/// <param name="scope">The code that follows the rent, as far as the variable can be named.</param>
/// <param name="owner">The name of the variable.</param>
internal sealed class LaterUses(SemanticModel model, SyntaxNode[] scope, string owner)
{
    private readonly HashSet<string> _followed = [];

    public bool Exist() => ExistOf(owner);

    private bool ExistOf(string name) => _followed.Add(name) && Names.In(scope, name).Any(IsUsedLater);

    private bool IsUsedLater(IdentifierNameSyntax reference)
    {
        for (SyntaxNode inner = reference; inner.Parent is { } around; inner = around)
        {
            switch (around)
            {
                case AwaitExpressionSyntax:
                    return false;
                case AnonymousFunctionExpressionSyntax:
                    return reference.Identifier.Text != owner;
                case ForEachStatementSyntax loop when loop.Expression == inner:
                    return false;
                case InvocationExpressionSyntax or BaseObjectCreationExpressionSyntax when IsGoingOn(model.GetTypeInfo(around).Type) && !IsAwaited((ExpressionSyntax)around):
                    return true;
                case InvocationExpressionSyntax call when call.ArgumentList.Arguments.Any(LeadsOut):
                    return true;
                case ArgumentSyntax { Parent: ArgumentListSyntax { Parent: ExpressionSyntax call } } when CanBeKept(model.GetTypeInfo(inner).Type) && !IsAwaited(call):
                    return true;
                case AssignmentExpressionSyntax assignment when assignment.Right == inner && !IsPlain(inner) && Keeps(assignment.Left):
                    return true;
                case EqualsValueClauseSyntax { Parent: VariableDeclaratorSyntax { Parent.Parent: not FixedStatementSyntax, Identifier.Text: var local } } when !IsPlain(inner):
                    return ExistOf(local);
                case ReturnStatementSyntax or YieldStatementSyntax:
                    return !IsPlain(inner);
                case StatementSyntax:
                    return false;
            }
        }

        return false;
    }

    private static bool IsGoingOn(ITypeSymbol? type) =>
        type is INamedTypeSymbol { Name: "Task" or "ValueTask" or "IEnumerable" or "IEnumerator" or "IAsyncEnumerable" or "IAsyncEnumerator" };

    private static bool IsAwaited(ExpressionSyntax call) => call.Parent is AwaitExpressionSyntax or ForEachStatementSyntax
        || call is { Parent: MemberAccessExpressionSyntax { Name.Identifier.Text: "ConfigureAwait", Parent.Parent: AwaitExpressionSyntax or ForEachStatementSyntax } };

    // What a call hands out, such as "DangerousTryGetSinglePixelMemory".
    private bool LeadsOut(ArgumentSyntax argument) => argument.RefKindKeyword.IsKind(SyntaxKind.OutKeyword) && !IsPlain(argument.Expression) && argument.Expression switch
    {
        DeclarationExpressionSyntax { Designation: SingleVariableDesignationSyntax { Identifier.Text: var local } } => ExistOf(local),
        var target => Keeps(target),
    };

    // A local of the scope ends with it, unless it leads further.
    private bool Keeps(ExpressionSyntax target) => target is not DeclarationExpressionSyntax { Designation: DiscardDesignationSyntax } && model.GetSymbolInfo(target).Symbol switch
    {
        IDiscardSymbol => false,
        ILocalSymbol local when local.DeclaringSyntaxReferences.Any(declared => scope.Any(node => node.Span.Contains(declared.Span))) => ExistOf(local.Name),
        _ => true,
    };

    // What a method can keep: no span, and nothing that holds the memory itself.
    private static bool CanBeKept(ITypeSymbol? type) => type switch
    {
        IArrayTypeSymbol array => CanBeKept(array.ElementType),
        INamedTypeSymbol { IsTupleType: true, TupleElements: var elements } => elements.Any(static element => CanBeKept(element.Type)),
        IPointerTypeSymbol or { SpecialType: SpecialType.System_IntPtr or SpecialType.System_UIntPtr } => true,
        { Name: "Memory" or "ReadOnlyMemory" or "ReadOnlySequence", ContainingNamespace: { Name: "System" } or { Name: "Buffers", ContainingNamespace.Name: "System" } } => true,
        _ => false,
    };

    private bool IsPlain(SyntaxNode value) => value is not RefExpressionSyntax && IsPlain(model.GetTypeInfo(value).Type);

    // Numbers, but not addresses, text, and arrays of them: all of these are copies.
    private static bool IsPlain(ITypeSymbol? type) => type switch
    {
        IArrayTypeSymbol array => IsPlain(array.ElementType),
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T, TypeArguments: var value } => IsPlain(value[0]),
        null or IPointerTypeSymbol or IFunctionPointerTypeSymbol or { SpecialType: SpecialType.System_IntPtr or SpecialType.System_UIntPtr } => false,
        _ => type.IsUnmanagedType || type.SpecialType == SpecialType.System_String,
    };
}
