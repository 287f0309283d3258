using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Flow;

/// <summary>The ways that lead out of blocks: none of those that a constant condition never takes, and none behind a call that does not return. Those of exceptions are not among them.</summary>
internal static class WaysOut
{
    public static ImmutableArray<ControlFlowBranch> Of(BasicBlock block)
    {
        ImmutableArray<ControlFlowBranch>.Builder ways = ImmutableArray.CreateBuilder<ControlFlowBranch>();
        if (!NeverEnds(block))
        {
            bool? jumps = AlwaysJumps(block);
            AddIf(jumps != false, block.ConditionalSuccessor);
            AddIf(jumps != true, block.FallThroughSuccessor);
        }

        return ways.ToImmutable();

        void AddIf(bool possible, ControlFlowBranch? way)
        {
            if (possible && way is not null)
            {
                ways.Add(way);
            }
        }
    }

    // "while (true)" has a way out of its condition, too.
    private static bool? AlwaysJumps(BasicBlock block) =>
        block is { ConditionKind: not ControlFlowConditionKind.None, BranchValue.ConstantValue: { HasValue: true, Value: bool outcome } }
            ? outcome == (block.ConditionKind == ControlFlowConditionKind.WhenTrue)
            : null;

    private static bool NeverEnds(BasicBlock block) =>
        (block.BranchValue is { } value ? block.Operations.Add(value) : block.Operations)
        .Any(static operation => operation.DescendantsAndSelf().Any(static part => part is IInvocationOperation { TargetMethod: var called } && NeverReturns(called)));

    // Before .NET Core the methods that end the process have no attribute.
    private static bool NeverReturns(IMethodSymbol method) =>
        method is { Name: "Exit" or "FailFast", ContainingType: { Name: "Environment", ContainingNamespace: { Name: "System", ContainingNamespace.IsGlobalNamespace: true } } }
        || method.GetAttributes().Any(static attribute => attribute.AttributeClass is { Name: "DoesNotReturnAttribute", ContainingNamespace.Name: "CodeAnalysis" });
}
