using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Text.RegularExpressions;

namespace PublicDocumentation;

/// <summary>Types as they stand in lists of parameters: <c>System.Span{`0}</c>, <c>System.Int32@</c>.</summary>
internal sealed partial class ParameterTypeNames(MetadataReader metadata) : ISignatureTypeProvider<string, object?>
{
    /// <summary>With the number of type parameters behind the name of each type that has some: <c>Outer`1.Inner</c>.</summary>
    public string FullName(TypeDefinitionHandle handle)
    {
        TypeDefinition type = metadata.GetTypeDefinition(handle);
        TypeDefinitionHandle around = type.GetDeclaringType();
        return Join(around.IsNil ? metadata.GetString(type.Namespace) : FullName(around), metadata.GetString(type.Name));
    }

    public string GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) => FullName(handle);

    public string GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind)
    {
        TypeReference type = metadata.GetTypeReference(handle);
        string around = type.ResolutionScope.Kind == HandleKind.TypeReference
            ? GetTypeFromReference(reader, (TypeReferenceHandle)type.ResolutionScope, rawTypeKind)
            : metadata.GetString(type.Namespace);
        return Join(around, metadata.GetString(type.Name));
    }

    /// <summary>Each type in the name takes as many of the arguments as it has parameters: <c>Outer{System.Int32}.Inner</c>.</summary>
    public string GetGenericInstantiation(string genericType, ImmutableArray<string> typeArguments)
    {
        int taken = 0;
        return NumberOfParameters().Replace(genericType, number =>
        {
            int count = int.Parse(number.ValueSpan[1..]);
            taken += count;
            return $"{{{string.Join(',', typeArguments[(taken - count)..taken])}}}";
        });
    }

    public string GetTypeFromSpecification(MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) =>
        metadata.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public string GetPrimitiveType(PrimitiveTypeCode typeCode) => $"System.{typeCode}";

    public string GetGenericTypeParameter(object? genericContext, int index) => $"`{index}";

    public string GetGenericMethodParameter(object? genericContext, int index) => $"``{index}";

    public string GetByReferenceType(string elementType) => elementType + "@";

    public string GetPointerType(string elementType) => elementType + "*";

    public string GetSZArrayType(string elementType) => elementType + "[]";

    public string GetArrayType(string elementType, ArrayShape shape) => $"{elementType}[{string.Join(',', Enumerable.Repeat("0:", shape.Rank))}]";

    /// <summary>The compiler leaves them out.</summary>
    public string GetFunctionPointerType(MethodSignature<string> signature) => string.Empty;

    /// <summary>What <c>in</c>, <c>init</c> and <c>volatile</c> leave in signatures is not part of a name.</summary>
    public string GetModifiedType(string modifier, string unmodifiedType, bool isRequired) => unmodifiedType;

    public string GetPinnedType(string elementType) => elementType;

    private static string Join(string around, string name) => around.Length == 0 ? name : $"{around}.{name}";

    [GeneratedRegex("`[0-9]+")]
    private static partial Regex NumberOfParameters();
}
