using System.Diagnostics;
using System.Globalization;
#if !NET9_0_OR_GREATER
using System.Diagnostics.CodeAnalysis;
#endif

namespace PixelPool.Diagnostics;

/// <summary>Reads frames of stacks: which of them are PixelPool's own, and how a person writes the others.</summary>
internal static class StackPlace
{
    private const string AsyncMachinery = "System.Runtime.CompilerServices.";

    private static readonly string? s_ownAssembly = typeof(StackPlace).Assembly.FullName;

    /// <summary>How many frames, the first ones, are the library's own; what starts asynchronous methods among them is counted, too.</summary>
    public static int CountOwnFrames(StackTrace stack)
    {
        int own = 0;
        for (int i = 0; i < stack.FrameCount; i++)
        {
            (string? assembly, string? type, _) = Read(stack.GetFrame(i)!);
            if (assembly == s_ownAssembly)
            {
                own = i + 1;
            }
            else if (type is null || !type.StartsWith(AsyncMachinery, StringComparison.Ordinal))
            {
                break;
            }
        }

        return own;
    }

    /// <summary><c>Namespace.Type.Method in file:line 42</c>; without the file where no symbols are.</summary>
    public static string Describe(StackFrame frame)
    {
        (_, string? type, string? method) = Read(frame);
        string place = method is null ? frame.ToString().Trim() : Join(type, method);
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
            string machine = type!.Substring(type.LastIndexOf("+<", StringComparison.Ordinal) + 1);
            name = method == "MoveNext" ? machine : method;
            type = type.Substring(0, made);
        }

        name = Written(name);
        return type is null ? name : type.Replace('+', '.') + "." + name;
    }

    private static string Written(string name)
    {
        int start = 0;
        while (start < name.Length && name[start] == '<')
        {
            start++;
        }

        int end = name.IndexOf('>', start);
        return start == 0 || end <= start ? name : name.Substring(start, end - start);
    }

#if NET9_0_OR_GREATER
    private static (string? Assembly, string? Type, string? Method) Read(StackFrame frame) =>
        DiagnosticMethodInfo.Create(frame) is { } method ? (method.DeclaringAssemblyName, method.DeclaringTypeName, method.Name) : default;
#else
#if NET
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Names are written down, nothing is called; what was trimmed has none.")]
#endif
    private static (string? Assembly, string? Type, string? Method) Read(StackFrame frame) =>
        frame.GetMethod() is { } method ? (method.Module.Assembly.FullName, method.DeclaringType?.FullName, method.Name) : default;
#endif
}
