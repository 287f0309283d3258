using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace PublicDocumentation;

/// <summary>Names of types and members as the compiler writes them into documentation files: <c>M:Namespace.Type.Member(System.Int32)</c>.</summary>
internal sealed class MemberNames(MetadataReader metadata)
{
    private readonly ParameterTypeNames _types = new(metadata);

    public string Of(TypeDefinitionHandle type) => "T:" + _types.FullName(type);

    public string Of(FieldDefinitionHandle handle)
    {
        FieldDefinition field = metadata.GetFieldDefinition(handle);
        return $"F:{Member(field.GetDeclaringType(), field.Name)}";
    }

    public string Of(EventDefinitionHandle handle)
    {
        EventDefinition happening = metadata.GetEventDefinition(handle);
        return $"E:{Member(Declaring(happening.GetAccessors().Adder), happening.Name)}";
    }

    public string Of(PropertyDefinitionHandle handle)
    {
        PropertyDefinition property = metadata.GetPropertyDefinition(handle);
        PropertyAccessors accessors = property.GetAccessors();
        TypeDefinitionHandle type = Declaring(accessors.Getter.IsNil ? accessors.Setter : accessors.Getter);
        return $"P:{Member(type, property.Name)}{Parameters(property.DecodeSignature(_types, null))}";
    }

    public string Of(MethodDefinitionHandle handle)
    {
        MethodDefinition method = metadata.GetMethodDefinition(handle);
        MethodSignature<string> signature = method.DecodeSignature(_types, null);
        string name = Member(method.GetDeclaringType(), method.Name);
        string typeParameters = signature.GenericParameterCount > 0 ? $"``{signature.GenericParameterCount}" : string.Empty;

        // Conversions may differ in their result only.
        bool isConversion = metadata.StringComparer.Equals(method.Name, "op_Implicit") || metadata.StringComparer.Equals(method.Name, "op_Explicit")
            || metadata.StringComparer.Equals(method.Name, "op_CheckedExplicit");
        return $"M:{name}{typeParameters}{Parameters(signature)}{(isConversion ? "~" + signature.ReturnType : string.Empty)}";
    }

    private TypeDefinitionHandle Declaring(MethodDefinitionHandle method) => metadata.GetMethodDefinition(method).GetDeclaringType();

    private string Member(TypeDefinitionHandle type, StringHandle name) =>
        $"{_types.FullName(type)}.{metadata.GetString(name).Replace('.', '#').Replace('<', '{').Replace('>', '}')}";

    private static string Parameters(MethodSignature<string> signature) =>
        signature.ParameterTypes is { Length: > 0 } types ? $"({string.Join(',', types)})" : string.Empty;
}
