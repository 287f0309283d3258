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

    private static readonly string[] s_memoryTypes = [typeof(Memory<>).FullName!, typeof(ReadOnlyMemory<>).FullName!];

    private static readonly string s_ownAssembly = typeof(StackPlace).Assembly.GetName().Name!;

    /// <summary>How many frames, the first ones, are the library's own; what starts asynchronous methods among them is counted, too.</summary>
    public static int CountOwnFrames(StackTrace stack)
    {
        int own = 0;
        for (int i = 0; i < stack.FrameCount; i++)
        {
            (string? assembly, string? type, _) = Read(stack.GetFrame(i)!);
            if (IsOwnAssembly(assembly))
            {
                own = i + 1;
            }
            else if (own == i && Array.IndexOf(s_memoryTypes, type) >= 0)
            {
                // Memory<T>.Pin, which called the library.
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
        string place = method is null ? WithoutOffset(frame.ToString()) : Join(type, method);
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

    /// <summary>
    /// Reads what Native AOT writes of a frame of which it has no method: <c>App.Loader.Load[T](String) + 0x29 at offset 41 in …</c>. It knows no assembly:
    /// what is the library's own, or a package's beside it, is told by the namespace.
    /// </summary>
    public static (string? Assembly, string? Type, string? Method) Read(string frame)
    {
        // What is before the parameters, without those of types.
        string name = frame.Substring(0, Math.Max(0, frame.IndexOf('('))).Split('[')[0];

        // Constructors begin with a dot of their own.
        int dot = LastDot(name);
        dot = dot > 0 && name[dot - 1] == '.' ? dot - 1 : dot;
        if (dot <= 0)
        {
            return default;
        }

        string type = name.Substring(0, dot).Replace(".<", "+<");
        return (type.StartsWith(s_ownAssembly + ".", StringComparison.Ordinal) ? s_ownAssembly : null, type, name.Substring(dot + 1));
    }

    // Not one of the method that a local function was written in: Type.<.ctor>g__Local|0_0.
    private static int LastDot(string name)
    {
        int depth = 0;
        int dot = name.Length - 1;
        for (; dot >= 0 && (depth != 0 || name[dot] != '.'); dot--)
        {
            depth += name[dot] switch { '>' => 1, '<' => -1, _ => 0 };
        }

        return dot;
    }

    /// <summary>Whether an assembly is the library.</summary>
    /// <param name="name">Its name: the full one, or the short one that Native AOT knows.</param>
    public static bool IsOwnAssembly(string? name) =>
        name is not null && name.StartsWith(s_ownAssembly, StringComparison.Ordinal) && (name.Length == s_ownAssembly.Length || name[s_ownAssembly.Length] == ',');

    // The end is for debuggers: " at offset 41 in file:line:column <filename unknown>:0:0".
    private static string WithoutOffset(string frame) => frame.Split([" at offset "], StringSplitOptions.None)[0].Trim();

    private static string Written(string name)
    {
        int start = name.Length - name.TrimStart('<').Length;
        int end = name.IndexOf('>', start);
        return start == 0 || end <= start ? name : name.Substring(start, end - start);
    }

#if NET9_0_OR_GREATER
    private static (string? Assembly, string? Type, string? Method) Read(StackFrame frame) =>
        DiagnosticMethodInfo.Create(frame) is { } method
            ? (method.DeclaringAssemblyName, method.DeclaringTypeName, method.Name)
            : Read(frame.ToString());
#else
#if NET
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Names are written down, nothing is called; what was trimmed has none.")]
#endif
    private static (string? Assembly, string? Type, string? Method) Read(StackFrame frame) =>
        frame.GetMethod() is { } method ? (method.Module.Assembly.FullName, method.DeclaringType?.FullName, method.Name) : Read(frame.ToString());
#endif
}
