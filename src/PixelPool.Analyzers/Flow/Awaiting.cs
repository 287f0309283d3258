using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Flow;

/// <summary>Where in an async method nothing can be awaited: what is a reference, or holds one, does not live through that.</summary>
internal static class Awaiting
{
    public static bool IsPossibleAt(IOperation call)
    {
        SemanticModel model = call.SemanticModel!;
        return !IsForbiddenAround(call.Syntax, model) && !FollowsReference(call, model) && !IsBehindReferences(call);
    }

    private static bool IsForbiddenAround(SyntaxNode call, SemanticModel model)
    {
        for (SyntaxNode inner = call; inner.Parent is { } around; inner = around)
        {
            switch (around)
            {
                case LockStatementSyntax or UnsafeStatementSyntax or CatchFilterClauseSyntax or QueryExpressionSyntax:
                    return true;
                case CommonForEachStatementSyntax loop when loop.Statement == inner && IsReference(EnumeratorOf(loop, model)):
                    return true;
                case UsingStatementSyntax { Expression: { } used } block when block.Statement == inner && IsReference(model.GetTypeInfo(used).Type):
                    return true;
                case AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax or MemberDeclarationSyntax:
                    return false;
            }
        }

        return false;
    }

    // Of a span, too, although what the compiler makes of that loop has no enumerator.
    private static ITypeSymbol? EnumeratorOf(CommonForEachStatementSyntax loop, SemanticModel model) => model.GetForEachStatementInfo(loop).GetEnumeratorMethod?.ReturnType;

    // Declared before, in the same function. Whether it is used later, and whether this is a loop, is not looked at.
    private static bool FollowsReference(IOperation call, SemanticModel model)
    {
        int position = call.Syntax.SpanStart;
        ISymbol? function = model.GetEnclosingSymbol(position);
        return model.LookupSymbols(position).OfType<ILocalSymbol>().Any(local =>
            (local.RefKind != RefKind.None || IsReference(local.Type))
            && SymbolEqualityComparer.Default.Equals(local.ContainingSymbol, function)
            && local.DeclaringSyntaxReferences.Any(declared => declared.Span.End <= position));
    }

    // Values of the same statement that are there when the call is reached: the receiver, arguments in front of it, and the place that an assignment writes.
    private static bool IsBehindReferences(IOperation call)
    {
        for (IOperation inner = call; inner.Parent is { Syntax: not StatementSyntax } outer; inner = outer)
        {
            if (outer.ChildOperations.TakeWhile(child => child != inner).Any(static child => IsReference(Plain(child).Type) || (IsHeldByReference(child) && IsReturnedReference(Plain(child)))))
            {
                return true;
            }
        }

        return false;
    }

    private static IOperation Plain(IOperation child) => child is IArgumentOperation argument ? argument.Value : child;

    // A value that is only read is copied.
    private static bool IsHeldByReference(IOperation child) => child.Parent switch
    {
        IAssignmentOperation assignment => assignment.Target == child,
        IInvocationOperation call when call.Instance == child => child.Type is { IsReferenceType: false },
        _ => child is IArgumentOperation { Parameter.RefKind: not RefKind.None },
    };

    private static bool IsReturnedReference(IOperation place) => place switch
    {
        IPropertyReferenceOperation { Property.RefKind: not RefKind.None } or IInvocationOperation { TargetMethod.RefKind: not RefKind.None } => true,
        IFieldReferenceOperation { Instance: { Type.IsReferenceType: false } whole } => IsReturnedReference(whole),
        ITupleOperation several => several.Elements.Any(IsReturnedReference),
        _ => false,
    };

    private static bool IsReference(ITypeSymbol? type) => type is { IsRefLikeType: true };
}
