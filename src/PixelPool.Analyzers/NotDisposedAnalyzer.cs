using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP001: what a call gave is dropped, or stays in a local that is not disposed and handed to nobody.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class NotDisposedAnalyzer() : LibraryAnalyzer(Rules.NotDisposed)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        RegisterUsers(context, types, Analyze);

    private static void Analyze(OperationBlockAnalysisContext context, LibraryTypes types)
    {
        var graphs = new MethodGraphs(context);
        foreach (IOperation body in context.OperationBlocks)
        {
            foreach (IOperation operation in body.DescendantsAndSelf())
            {
                if (operation is IArgumentOperation argument && Creation.OfOut(argument, types) is { } rented)
                {
                    // An assertion may say that there is nothing to own: "Assert.False(allocator.TryRent(…))".
                    if (argument.Parent is { Parent: not IArgumentOperation } call && Operations.VariableOf(argument.Value) is ILocalSymbol local)
                    {
                        Report(context, call, rented, Leak(local, call, body, graphs, types));
                    }
                }
                else if (Creation.Of(operation, types) is { } made)
                {
                    Report(context, operation, made, Leak(operation, body, graphs, types));
                }
            }
        }
    }

    // Whether, and how, what a call gave is lost: null when it is not.
    private static string? Leak(IOperation creation, IOperation body, MethodGraphs graphs, LibraryTypes types)
    {
        IOperation value = Creation.ValueOf(creation);
        if (IsAwaitedElsewhere(value) || IsAllThatADelegateDoes(value))
        {
            return null;
        }

        return value.Parent switch
        {
            IExpressionStatementOperation => "",
            IInvocationOperation call when call.Instance == value => Disposal.Is(call) ? null : "",
            IPropertyReferenceOperation => "",
            ISimpleAssignmentOperation { Target: IDiscardOperation } => "",
            ISimpleAssignmentOperation { Target: ILocalReferenceOperation { Local: var local } } => Leak(local, creation, body, graphs, types),
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol: var local } } => Leak(local, creation, body, graphs, types),
            _ => null,
        };
    }

    private static bool IsAwaitedElsewhere(IOperation value) => value.Type is { Name: "Task" or "ValueTask" or "ConfiguredValueTaskAwaitable" or "ConfiguredTaskAwaitable" };

    // It is written for what the calls do: to throw, in a test.
    private static bool IsAllThatADelegateDoes(IOperation value)
    {
        IOperation chain = value;
        while (chain.Parent is IInvocationOperation or IPropertyReferenceOperation or IConversionOperation)
        {
            chain = chain.Parent;
        }

        return chain.Parent is IExpressionStatementOperation or IReturnOperation
            && chain.Parent.Parent is IBlockOperation { Parent: IAnonymousFunctionOperation, Syntax: ExpressionSyntax };
    }

    private static string? Leak(ILocalSymbol local, IOperation creation, IOperation body, MethodGraphs graphs, LibraryTypes types)
    {
        if (VariableUses.IsUsing(local) || local.IsRef)
        {
            return null;
        }

        bool disposed = false;
        foreach (IOperation reference in Operations.ReferencesTo(local, body))
        {
            switch (VariableUses.Of(reference, local, types))
            {
                case VariableUse.HandsOn:
                    return null;
                case VariableUse.Disposes:
                    disposed = true;
                    break;
            }
        }

        if (!disposed)
        {
            return "";
        }

        return graphs.For(local, body) is { } graph && new LeakPath(graph, new FollowedVariable(graph, local, creation.Syntax)).Exists()
            ? " on every way out of here"
            : null;
    }

    private static void Report(OperationBlockAnalysisContext context, IOperation creation, ITypeSymbol type, string? leak)
    {
        if (leak is not null)
        {
            string member = creation is IInvocationOperation call ? call.TargetMethod.Name : "new";
            context.ReportDiagnostic(Diagnostic.Create(Rules.NotDisposed, creation.Syntax.GetLocation(), Creation.NounFor(type, member), member, leak));
        }
    }
}
