using System.Reflection;

namespace PixelPool.Testing;

/// <summary>What a type or member is called in documentation files: <c>M:Namespace.Type.Member(System.Int32)</c>.</summary>
internal static class DocumentationId
{
    public static string Of(MemberInfo member) => member switch
    {
        Type type => "T:" + NameOf(type),
        FieldInfo field => $"F:{NameOf(field.DeclaringType!)}.{field.Name}",
        EventInfo happening => $"E:{NameOf(happening.DeclaringType!)}.{happening.Name}",
        PropertyInfo property => $"P:{NameOf(property.DeclaringType!)}.{property.Name}{ListOf(property.GetIndexParameters())}",
        ConstructorInfo constructor => $"M:{NameOf(constructor.DeclaringType!)}.#ctor{ListOf(constructor.GetParameters())}",
        MethodInfo method => $"M:{NameOf(method.DeclaringType!)}.{method.Name}{CountOfTypeParameters(method)}{ListOf(method.GetParameters())}{Result(method)}",
        _ => throw new NotSupportedException(member.ToString()),
    };

    private static string NameOf(Type type) =>
        type.IsNested ? $"{NameOf(type.DeclaringType!)}.{type.Name}" : $"{type.Namespace}.{type.Name}";

    private static string CountOfTypeParameters(MethodInfo method) =>
        method.IsGenericMethod ? $"``{method.GetGenericArguments().Length}" : string.Empty;

    /// <summary>Conversions may differ in their result only.</summary>
    private static string Result(MethodInfo method) =>
        method.Name is "op_Implicit" or "op_Explicit" ? "~" + Use(method.ReturnType) : string.Empty;

    private static string ListOf(ParameterInfo[] parameters) =>
        parameters.Length == 0 ? string.Empty : $"({string.Join(',', parameters.Select(static parameter => Use(parameter.ParameterType)))})";

    /// <summary>A type as it stands in a list of parameters: with its type arguments in braces.</summary>
    private static string Use(Type type)
    {
        if (type.IsByRef)
        {
            return Use(type.GetElementType()!) + "@";
        }

        if (type.IsPointer)
        {
            return Use(type.GetElementType()!) + "*";
        }

        if (type.IsSZArray)
        {
            return Use(type.GetElementType()!) + "[]";
        }

        if (type.IsGenericParameter)
        {
            return (type.DeclaringMethod is null ? "`" : "``") + type.GenericParameterPosition;
        }

        return Use(type, type.GetGenericArguments());
    }

    /// <summary>The first of <paramref name="arguments"/> are those of the types around it.</summary>
    private static string Use(Type type, Type[] arguments)
    {
        int before = type.DeclaringType?.GetGenericArguments().Length ?? 0;
        string around = type.IsNested ? Use(type.DeclaringType!, arguments[..before]) : type.Namespace!;
        string own = before == arguments.Length ? string.Empty : $"{{{string.Join(',', arguments[before..].Select(Use))}}}";
        return $"{around}.{type.Name.Split('`')[0]}{own}";
    }
}
