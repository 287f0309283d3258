using System.Diagnostics;
#if NET
using System.Diagnostics.CodeAnalysis;
#endif
using System.Globalization;
using System.Reflection;

namespace PixelPool.Diagnostics;

/// <summary>Reads frames of stacks: whose code they are, and how a person writes them.</summary>
internal static class StackPlace
{
    /// <summary>The simple name of the library.</summary>
    public static readonly string Own = typeof(StackPlace).Assembly.GetName().Name!;

    /// <summary>The method, to be asked and not to be called. Null where stacks know none, as under Native AOT.</summary>
#if NET
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Names, numbers and files are asked for, nothing is called; what was trimmed has none.")]
#endif
    public static MethodBase? MethodOf(StackFrame frame) => frame.GetMethod();

    /// <summary>The simple name of the assembly. Of a frame without a method all that the runtime writes of it: that begins with the namespace, by which the library's own are told.</summary>
    public static string LibraryOf(StackFrame frame)
    {
        if (Read(frame) is { Method: not null } known)
        {
            return known.Assembly!.Split(',')[0];
        }

        string text = frame.ToString();
        return text.StartsWith(Own + ".", StringComparison.Ordinal) ? Own : text;
    }

    /// <summary><c>Namespace.Type.Method in file:line 42</c>; without the file where no symbols are.</summary>
    public static string Describe(StackFrame frame)
    {
        (_, string? type, string? method) = Read(frame);

        // Of a frame without a method the end is for debuggers: " at offset 41 in file:line:column <filename unknown>:0:0".
        string place = method is null ? frame.ToString().Split([" at offset "], StringSplitOptions.None)[0].Trim() : Join(type, method);
        return method is not null && frame.GetFileName() is { } file
            ? string.Format(CultureInfo.InvariantCulture, "{0} in {1}:line {2}", place, file, frame.GetFileLineNumber())
            : place;
    }

    /// <summary>The method somebody wrote: not the state machine, lambda or local function that the compiler made of it.</summary>
    /// <param name="type">The type, with <c>+</c> before nested ones.</param>
    /// <param name="method">The method.</param>
    public static string Join(string? type, string method)
    {
        // Method.MoveNext of Type+<Written>d__5; <Written>b__0 of Type+<>c; <Written>g__Local|0_0 of Type; and any of them in one another.
        int made = type?.IndexOf("+<", StringComparison.Ordinal) ?? -1;
        string name = method;
        if (made >= 0)
        {
            name = method == "MoveNext" ? type!.Substring(type.LastIndexOf("+<", StringComparison.Ordinal) + 1) : method;
            type = type!.Substring(0, made);
        }

        name = Written(name);
        return type is null ? name : type.Replace('+', '.') + "." + name;
    }

    private static string Written(string name)
    {
        int start = name.Length - name.TrimStart('<').Length;
        int end = name.IndexOf('>', start);
        return start == 0 || end <= start ? name : name.Substring(start, end - start);
    }

#if NET9_0_OR_GREATER
    private static (string? Assembly, string? Type, string? Method) Read(StackFrame frame) =>
        DiagnosticMethodInfo.Create(frame) is { } method ? (method.DeclaringAssemblyName, method.DeclaringTypeName, method.Name) : default;
#else
    private static (string? Assembly, string? Type, string? Method) Read(StackFrame frame) =>
        MethodOf(frame) is { } method ? (method.Module.Assembly.FullName, method.DeclaringType?.FullName, method.Name) : default;
#endif
}
