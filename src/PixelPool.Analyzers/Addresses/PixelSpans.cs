using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using PixelPool.Analyzers.Flow;
using PixelPool.Analyzers.Library;

namespace PixelPool.Analyzers.Addresses;

/// <summary>The accessors and spans of a delegate, or of a method that gets an accessor, and what is made of them.</summary>
internal sealed class PixelSpans
{
    private readonly HashSet<ISymbol> _variables = new(SymbolEqualityComparer.Default);
    private readonly LibraryTypes _types;

    /// <param name="parameters">Those of the delegate or method.</param>
    /// <param name="body">What it does.</param>
    /// <param name="isPixelDelegate">Whether its spans are pixels, too; those of a method may be anybody's.</param>
    /// <param name="types">What PixelPool is.</param>
    public PixelSpans(IEnumerable<IParameterSymbol> parameters, IOperation body, bool isPixelDelegate, LibraryTypes types)
    {
        _types = types;
        foreach (IParameterSymbol parameter in parameters)
        {
            if (types.IsAccessor(parameter.Type) || (isPixelDelegate && LibraryTypes.IsSpan(parameter.Type)))
            {
                _variables.Add(parameter);
            }
        }

        while (_variables.Count > 0 && body.DescendantsAndSelf().Any(Add))
        {
        }
    }

    public bool IsEmpty => _variables.Count == 0;

    /// <summary>Whether a value, or a reference, leads into the pixels: a row, a part of it, a pixel.</summary>
    public bool LeadInto(IOperation? value) => Operations.Unconverted(value) switch
    {
        ILocalReferenceOperation or IParameterReferenceOperation => _variables.Contains(Operations.VariableOf(value)!),
        IInvocationOperation { Instance: { } instance } => LeadInto(instance),
        IInvocationOperation call => call.Arguments.Any(argument => LeadInto(argument.Value)),
        IPropertyReferenceOperation { Instance: { } instance } => LeadInto(instance),
        IFieldReferenceOperation { Instance: { } instance } => LeadInto(instance),
        _ => false,
    };

    private bool Add(IOperation operation) => operation switch
    {
        IVariableDeclaratorOperation { Symbol: var local } declarator when MayLead(local) => LeadInto(Initial(declarator)) && _variables.Add(local),
        ISimpleAssignmentOperation { Target: ILocalReferenceOperation { Local: var local } } assignment when MayLead(local) => LeadInto(assignment.Value) && _variables.Add(local),
        IForEachLoopOperation { LoopControlVariable: IVariableDeclaratorOperation { Symbol: var row } } rows when MayLead(row) => LeadInto(rows.Collection) && _variables.Add(row),
        _ => false,
    };

    private bool MayLead(ILocalSymbol local) => local.IsRef || LibraryTypes.IsSpan(local.Type) || _types.IsAccessor(local.Type);

    private static IOperation? Initial(IVariableDeclaratorOperation declarator) => declarator.GetVariableInitializer()?.Value;
}
