using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP001: what a call gave is dropped, or stays in a local that is not disposed and handed to nobody.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class NotDisposedAnalyzer() : LibraryAnalyzer(Rules.NotDisposed)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types)
    {
        var borrowed = new BorrowedParameters(context.Compilation, types);
        RegisterUsers(context, types, (block, _) => Analyze(block, types, new Losses(block, types, borrowed)));
    }

    private static void Analyze(OperationBlockAnalysisContext context, LibraryTypes types, Losses losses)
    {
        foreach (IOperation body in context.OperationBlocks)
        {
            foreach (IOperation operation in body.DescendantsAndSelf())
            {
                if (operation is IArgumentOperation argument && Creation.OfOut(argument, types) is { } rented)
                {
                    // An assertion may say that there is nothing to own: "Assert.False(allocator.TryRent(…))".
                    if (argument.Parent is { Parent: not IArgumentOperation } call && Operations.VariableOf(argument.Value) is ILocalSymbol local)
                    {
                        Report(context, call, rented, losses.Of(local, call, body));
                    }
                }
                else if (Creation.Of(operation, types) is { } made)
                {
                    Report(context, operation, made, losses.Of(operation, body));
                }
            }
        }
    }

    private static void Report(OperationBlockAnalysisContext context, IOperation creation, ITypeSymbol type, Loss loss)
    {
        if (loss == Loss.None)
        {
            return;
        }

        string member = Creation.NameOf(creation);
        string noun = Creation.NounFor(type, member);
        string mistake = loss == Loss.Always ? $"Dispose this {noun}" : $"Not every path disposes the {noun} that '{member}' returned";
        context.ReportDiagnostic(Diagnostic.Create(Rules.NotDisposed, creation.Syntax.GetLocation(), mistake, Creation.PriceOf(noun)));
    }
}
