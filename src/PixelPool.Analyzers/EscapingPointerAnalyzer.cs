using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Addresses;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers;

/// <summary>PXP005: the pointer of a pin that the method disposes is returned or stored, or read after that.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
internal sealed class EscapingPointerAnalyzer() : LibraryAnalyzer(Rules.EscapingPointer)
{
    protected override void Register(CompilationStartAnalysisContext context, LibraryTypes types) =>
        RegisterUsers(context, types, Analyze);

    private static void Analyze(OperationBlockAnalysisContext context, LibraryTypes types)
    {
        var graphs = new MethodGraphs(context);
        foreach (IOperation body in context.OperationBlocks)
        {
            foreach (ISymbol pin in DisposedPins(body, types))
            {
                var addresses = new PixelAddresses(body, operation => IsPointerOf(operation, pin));
                Report(context, ReadLater(pin, body, graphs, addresses), $"is used after its pin '{pin.Name}' was disposed; the memory may already be reused");
                if (VariableUses.IsUsing(pin))
                {
                    Report(context, Leaving(pin, body, addresses), $"outlives its pin '{pin.Name}', which is disposed at the end of its block; the memory may be reused then");
                }
            }
        }
    }

    private static void Report(OperationBlockAnalysisContext context, IEnumerable<IOperation> pointers, string mistake)
    {
        foreach (IOperation pointer in pointers)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.EscapingPointer, pointer.Syntax.GetLocation(), mistake));
        }
    }

    private static IEnumerable<ISymbol> DisposedPins(IOperation body, LibraryTypes types) =>
        body.DescendantsAndSelf()
            .OfType<IVariableDeclaratorOperation>()
            .Select(static declarator => declarator.Symbol)
            .Where(local => types.IsPin(local.Type) && VariableUses.IsUsing(local))
            .Concat(DisposedVariables.In(body, types).Where(variable => variable is ILocalSymbol local && types.IsPin(local.Type)))
            .Distinct(SymbolEqualityComparer.Default)
            .Where(pin => !IsGivenAway(pin!, body))!;

    private static bool IsGivenAway(ISymbol pin, IOperation body) =>
        body.DescendantsAndSelf().Any(operation => operation is IInvocationOperation call && Disposal.GivesAway(call)
            && SymbolEqualityComparer.Default.Equals(Operations.VariableOf(call.Instance), pin));

    private static bool IsPointerOf(IOperation operation, ISymbol pin) =>
        operation is IPropertyReferenceOperation { Property.Name: "Pointer" or "Address" } property
        && SymbolEqualityComparer.Default.Equals(Operations.VariableOf(property.Instance), pin);

    // Returned, or put into something that outlives the method, although the method disposes the pin whatever happens.
    private static IEnumerable<IOperation> Leaving(ISymbol pin, IOperation body, PixelAddresses addresses)
    {
        foreach (IOperation operation in body.DescendantsAndSelf().Where(operation => !Operations.IsCaptured(operation, pin)))
        {
            if (operation is IReturnOperation { ReturnedValue: { } returned, Kind: OperationKind.Return } && addresses.Contain(returned))
            {
                yield return returned;
            }
            else if (operation is ISimpleAssignmentOperation assignment && addresses.Contain(assignment.Value) && Outlives(assignment, body))
            {
                yield return assignment.Value;
            }
        }
    }

    private static bool Outlives(ISimpleAssignmentOperation assignment, IOperation body) => assignment.Target switch
    {
        IParameterReferenceOperation { Parameter.RefKind: not RefKind.None } => true,
        IFieldReferenceOperation { Field: var field } reference => Operations.IsOfThis(reference) && MemberWrites.AreOnly(assignment.Syntax, field, [body.Syntax]),
        _ => false,
    };

    private static IEnumerable<IOperation> ReadLater(ISymbol pin, IOperation body, MethodGraphs graphs, PixelAddresses addresses)
    {
        ISymbol[] pointers = [.. addresses.Locals.Where(local => HoldsNothingElse(local, body, addresses))];
        return pointers.Length > 0 && graphs.For(pin, body) is { } graph
            ? new DisposalFlow(graph, new FollowedVariable(graph, pin, creation: null, pointers)).Events()
                .Where(static step => step is { Before: DisposalStates.Disposed, Event: { Kind: FlowEventKind.NamesDependent, Operation: var read } } && !IsHarmless(read))
                .Select(static step => step.Event.Operation)
            : [];
    }

    private static bool HoldsNothingElse(ILocalSymbol pointer, IOperation body, PixelAddresses addresses) =>
        body.DescendantsAndSelf().All(operation => operation switch
        {
            IVariableDeclaratorOperation { Symbol: var local } declarator when SymbolEqualityComparer.Default.Equals(local, pointer) =>
                declarator.GetVariableInitializer()?.Value is not { } value || IsNothing(value) || addresses.Contain(value),
            ISimpleAssignmentOperation { Target: ILocalReferenceOperation { Local: var local } } assignment when SymbolEqualityComparer.Default.Equals(local, pointer) =>
                IsNothing(assignment.Value) || addresses.Contain(assignment.Value),
            ILocalReferenceOperation { Local: var local } when SymbolEqualityComparer.Default.Equals(local, pointer) =>
                operation.Parent is not IArgumentOperation { Parameter.RefKind: RefKind.Out or RefKind.Ref } && !Deconstruction.Writes(operation),
            _ => true,
        });

    private static bool IsNothing(IOperation value) => Operations.Unconverted(value) is IDefaultValueOperation or { ConstantValue.HasValue: true };

    // It gets a new value, or is compared with one.
    private static bool IsHarmless(IOperation reference) => Operations.Converted(reference).Parent switch
    {
        ISimpleAssignmentOperation assignment => assignment.Target == reference,
        IBinaryOperation { OperatorKind: BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals } => true,
        _ => false,
    };
}
