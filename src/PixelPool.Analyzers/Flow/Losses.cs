using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Flow;

/// <summary>Finds what becomes of that which calls of one method gave.</summary>
internal sealed class Losses(OperationBlockAnalysisContext context, LibraryTypes types, BorrowedParameters borrowed)
{
    private readonly MethodGraphs _graphs = new(context);

    /// <summary>Of what a call returned.</summary>
    public Loss Of(IOperation creation, IOperation body)
    {
        IOperation value = Creation.ValueOf(creation);
        if (Operations.IsAllThatADelegateDoes(value))
        {
            return Loss.None;
        }

        if (IsTask(value))
        {
            return value.Parent is IExpressionStatementOperation ? Loss.Always : Loss.None;
        }

        return value.Parent switch
        {
            IExpressionStatementOperation => Loss.Always,
            IInvocationOperation call when call.Instance == value => Disposal.Is(call) || Extension.Is(call.TargetMethod) ? Loss.None : Loss.Always,
            IPropertyReferenceOperation { Property: var property } => Extension.Is(property) ? Loss.None : Loss.Always,
            IArgumentOperation => VariableUses.PassedTo(value) is { } parameter && borrowed.Contain(parameter, context.CancellationToken) ? Loss.Always : Loss.None,

            // One that is itself a value hands it on: "return x = …".
            ISimpleAssignmentOperation { Parent: IExpressionStatementOperation, Target: IDiscardOperation } => Loss.Always,
            ISimpleAssignmentOperation { Parent: IExpressionStatementOperation, Target: ILocalReferenceOperation { Local: var local } } => Of(local, creation, body),
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol: var local } } => Of(local, creation, body),
            _ => Loss.None,
        };
    }

    /// <summary>Of what a call put into a local.</summary>
    public Loss Of(ILocalSymbol local, IOperation creation, IOperation body)
    {
        if (VariableUses.IsUsing(local) || local.IsRef)
        {
            return Loss.None;
        }

        bool disposed = false;
        foreach (IOperation reference in Operations.ReferencesTo(local, body))
        {
            switch (VariableUses.Of(reference, local, types))
            {
                case VariableUse.HandsOn:
                case VariableUse.Passes when !borrowed.Contain(VariableUses.PassedTo(Operations.Converted(reference))!, context.CancellationToken):
                    return Loss.None;
                case VariableUse.Disposes:
                    disposed = true;
                    break;
            }
        }

        if (!disposed)
        {
            return Loss.Always;
        }

        return _graphs.For(local, body) is { } graph && new LeakPath(graph, new FollowedVariable(graph, local, creation.Syntax)).Exists() ? Loss.OnSomePaths : Loss.None;
    }

    private static bool IsTask(IOperation value) => value.Type is { Name: "Task" or "ValueTask" or "ConfiguredValueTaskAwaitable" or "ConfiguredTaskAwaitable" };
}
