using System.Reflection;

namespace PixelPool.Tests.Buffers;

/// <summary>Members as C# writes them, so that a table of them can be read.</summary>
internal static class MemberNames
{
    private static readonly NullabilityInfoContext s_nullability = new();

    /// <summary>Such as <c>CopyTo(Span&lt;TPixel&gt;, Int32)</c>.</summary>
    public static string Of(MethodInfo method)
    {
        string arguments = method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(argument => argument.Name))}>" : string.Empty;
        return $"{method.Name}{arguments}({string.Join(", ", method.GetParameters().Select(parameter => Of(parameter.ParameterType)))})";
    }

    public static string Of(Type type)
    {
        if (type.IsByRef)
        {
            return "ref " + Of(type.GetElementType()!);
        }

        if (type.IsPointer)
        {
            return Of(type.GetElementType()!) + "*";
        }

        if (Nullable.GetUnderlyingType(type) is { } value)
        {
            return Of(value) + "?";
        }

        // A type nested in a generic one is generic without a mark of its own.
        return type.IsGenericType
            ? $"{type.Name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(Of))}>"
            : type.Name;
    }

    /// <summary>The type of a property with its question mark, if it has one.</summary>
    public static string Of(PropertyInfo property)
    {
        lock (s_nullability)
        {
            bool annotated = !property.PropertyType.IsValueType && s_nullability.Create(property).ReadState == NullabilityState.Nullable;
            return Of(property.PropertyType) + (annotated ? "?" : string.Empty);
        }
    }
}
