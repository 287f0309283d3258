using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Addresses;

/// <summary>Where an assignment puts something: whether that is still there when the body has ended.</summary>
internal static class Place
{
    public static bool Outlives(IOperation target, IOperation body) => target switch
    {
        ILocalReferenceOperation { Local: var local } => !local.DeclaringSyntaxReferences.Any(declared =>
            declared.SyntaxTree == body.Syntax.SyntaxTree && body.Syntax.Span.Contains(declared.Span)),
        IParameterReferenceOperation { Parameter: var parameter } => parameter.RefKind != RefKind.None || Operations.IsCaptured(target, parameter),
        IFieldReferenceOperation { Instance: { Type.IsValueType: true } whole } when IsPlace(whole) => Outlives(whole, body),
        IFieldReferenceOperation { Instance: { Type.IsValueType: true } whole } when Memory(whole) is { } memory => !IsMadeHere(memory, body),
        IFieldReferenceOperation { Instance: IInstanceReferenceOperation { Type.IsValueType: true, ReferenceKind: InstanceReferenceKind.ImplicitReceiver } made } => InitializedOutlives(made, body),
        IArrayElementReferenceOperation { ArrayReference: var array } => !IsMadeHere(array, body),
        IPropertyReferenceOperation element when Memory(element) is { } memory => !IsMadeHere(memory, body),
        IFieldReferenceOperation or IPropertyReferenceOperation => true,
        _ => false,
    };

    // What "this" is, or a reference that a call returns, is not seen.
    private static bool IsPlace(IOperation value) =>
        value is ILocalReferenceOperation or IParameterReferenceOperation or IFieldReferenceOperation or IArrayElementReferenceOperation;

    // The span that an element is of, or the pointer: of what pointers lead to, the compiler says only what it is made of.
    private static IOperation? Memory(IOperation place) => place switch
    {
        IPropertyReferenceOperation { Property.IsIndexer: true, Instance: { } span } when LibraryTypes.IsSpan(span.Type) => span,
        { Kind: OperationKind.None } => place.ChildOperations.FirstOrDefault(),
        _ => null,
    };

    // A struct that an initializer fills is a value, which may be stored, or passed to native code.
    private static bool InitializedOutlives(IOperation made, IOperation body)
    {
        IOperation value = made;
        while (value.Parent is not (null or IObjectCreationOperation or IWithOperation))
        {
            value = value.Parent;
        }

        return value.Parent is { Type.IsValueType: true } whole
            ? Operations.Converted(whole).Parent is ISimpleAssignmentOperation { Target: var target } && Outlives(target, body)
            : true;
    }

    // A local of the body's own, for an array or memory of its stack. An array may also be from elsewhere, or be kept by somebody.
    private static bool IsMadeHere(IOperation memory, IOperation body)
    {
        return memory is ILocalReferenceOperation { Local: var local } && !Outlives(memory, body) && body.DescendantsAndSelf().All(operation => operation switch
        {
            IVariableDeclaratorOperation { Symbol: var declared } declarator when SymbolEqualityComparer.Default.Equals(declared, local) =>
                declarator.GetVariableInitializer() is not { Value: var value } || IsNew(value),
            ISimpleAssignmentOperation assignment when Names(assignment.Target) => IsNew(assignment.Value),
            ISimpleAssignmentOperation assignment when Names(assignment.Value) => !Outlives(assignment.Target, body),
            _ => true,
        });

        bool Names(IOperation operation) => SymbolEqualityComparer.Default.Equals(Operations.VariableOf(operation), local);
    }

    private static bool IsNew(IOperation value) =>
        Operations.Unconverted(value) is IArrayCreationOperation || value.Syntax is StackAllocArrayCreationExpressionSyntax or ImplicitStackAllocArrayCreationExpressionSyntax;
}
