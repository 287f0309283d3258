using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;

namespace PixelPool.Analyzers.Addresses;

/// <summary>Which values of a body are addresses that come from a source, and which locals hold one.</summary>
internal sealed class PixelAddresses
{
    private readonly Func<IOperation, bool> _isSource;
    private readonly HashSet<ISymbol> _locals = new(SymbolEqualityComparer.Default);

    public PixelAddresses(IOperation body, Func<IOperation, bool> isSource)
    {
        _isSource = isSource;
        while (body.DescendantsAndSelf().Any(Add))
        {
        }
    }

    public IEnumerable<ILocalSymbol> Locals => _locals.OfType<ILocalSymbol>();

    public bool Contain(IOperation? value) => Operations.Unconverted(value) switch
    {
        null => false,
        { } source when _isSource(source) => true,
        ILocalReferenceOperation local => _locals.Contains(local.Local),
        IBinaryOperation { OperatorKind: BinaryOperatorKind.Add or BinaryOperatorKind.Subtract, Type: var type } sum when MayHold(type) =>
            Contain(sum.LeftOperand) != Contain(sum.RightOperand), // the difference of two addresses is none
        IInvocationOperation { TargetMethod: { Name: "ToPointer" or "ToInt64" or "Add", ContainingType.SpecialType: SpecialType.System_IntPtr } } call =>
            Contain(call.Instance ?? call.Arguments[0].Value),
        IObjectCreationOperation { Type.SpecialType: SpecialType.System_IntPtr or SpecialType.System_UIntPtr, Arguments: { Length: 1 } arguments } => Contain(arguments[0].Value),
        _ => false,
    };

    private static bool MayHold(ITypeSymbol? type) => type is IPointerTypeSymbol or
    { SpecialType: SpecialType.System_IntPtr or SpecialType.System_UIntPtr or SpecialType.System_Int64 or SpecialType.System_UInt64 };

    private bool Add(IOperation operation) => operation switch
    {
        IVariableDeclaratorOperation { Symbol: var local } declarator when MayHold(local.Type) =>
            (Contain(declarator.GetVariableInitializer()?.Value) || _isSource(declarator)) && _locals.Add(local),
        ISimpleAssignmentOperation { Target: ILocalReferenceOperation { Local: var local } } assignment when MayHold(local.Type) =>
            Contain(assignment.Value) && _locals.Add(local),
        _ => false,
    };
}
