using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace PublicDocumentation;

/// <summary>What a user of an assembly can call or derive from: public and protected members of public types.</summary>
internal static class VisibleMembers
{
    /// <summary>Their names as documentation files write them. Reads this one file: what it refers to need not be there.</summary>
    public static HashSet<string> Of(string assembly)
    {
        using FileStream file = File.OpenRead(assembly);
        using var image = new PEReader(file);
        MetadataReader metadata = image.GetMetadataReader();
        var names = new MemberNames(metadata);
        return metadata.TypeDefinitions
            .Where(type => IsVisible(metadata, type))
            .SelectMany(type => Declared(metadata, names, type))
            .ToHashSet(StringComparer.Ordinal);
    }

    private static IEnumerable<string> Declared(MetadataReader metadata, MemberNames names, TypeDefinitionHandle handle)
    {
        TypeDefinition type = metadata.GetTypeDefinition(handle);
        return
        [
            names.Of(handle),
            .. type.GetFields().Where(field => IsVisible(metadata.GetFieldDefinition(field).Attributes)).Select(names.Of),
            .. type.GetMethods().Where(method => IsVisible(metadata, method)).Select(names.Of),
            .. type.GetProperties().Where(property => IsVisible(metadata, metadata.GetPropertyDefinition(property).GetAccessors())).Select(names.Of),
            .. type.GetEvents().Where(e => IsVisible(metadata, metadata.GetEventDefinition(e).GetAccessors().Adder)).Select(names.Of),
        ];
    }

    private static bool IsVisible(MetadataReader metadata, TypeDefinitionHandle handle)
    {
        TypeDefinition type = metadata.GetTypeDefinition(handle);
        return (type.Attributes & TypeAttributes.VisibilityMask) switch
        {
            TypeAttributes.Public => true,
            TypeAttributes.NestedPublic or TypeAttributes.NestedFamily or TypeAttributes.NestedFamORAssem =>
                IsVisible(metadata, type.GetDeclaringType()),
            _ => false,
        };
    }

    private static bool IsVisible(FieldAttributes field) =>
        (field & FieldAttributes.FieldAccessMask) is FieldAttributes.Public or FieldAttributes.Family or FieldAttributes.FamORAssem;

    private static bool IsVisible(MetadataReader metadata, PropertyAccessors accessors) =>
        IsVisible(metadata, accessors.Getter) || IsVisible(metadata, accessors.Setter);

    private static bool IsVisible(MetadataReader metadata, MethodDefinitionHandle method) =>
        !method.IsNil && (metadata.GetMethodDefinition(method).Attributes & MethodAttributes.MemberAccessMask)
            is MethodAttributes.Public or MethodAttributes.Family or MethodAttributes.FamORAssem;
}
