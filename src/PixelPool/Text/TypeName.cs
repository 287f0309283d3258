namespace PixelPool;

/// <summary>Writes types as a person does: <c>PixelBuffer&lt;UInt32&gt;</c>, <c>Decoder.Pixel</c>.</summary>
internal static class TypeName
{
    public static string Of(Type type) => Of(type, type.GetGenericArguments());

    // A type that is nested in a generic one has the arguments of both, the outer ones first.
    private static string Of(Type type, Type[] arguments)
    {
        int outer = type.DeclaringType?.GetGenericArguments().Length ?? 0;
        string name = type.DeclaringType is { } declaring ? Of(declaring, arguments) + "." + type.Name : type.Name;
        int own = type.GetGenericArguments().Length - outer;
        return own == 0
            ? name
            : $"{name.Substring(0, name.LastIndexOf('`'))}<{string.Join(", ", arguments.Skip(outer).Take(own).Select(Of))}>";
    }
}
