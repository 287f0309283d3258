using System.Diagnostics;
#if NET
using System.Diagnostics.CodeAnalysis;
#endif
using System.Reflection;

namespace PixelPool.Diagnostics;

/// <summary>Frames of libraries that rent for those who call them: <see cref="RentsForCallersAttribute"/>.</summary>
internal sealed class WrappingLibraries
{
    private readonly HashSet<string> _names = new(StringComparer.Ordinal);

    private WrappingLibraries()
    {
    }

    /// <summary>How many frames, the first ones, tell nothing about the application.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="own">How many of them are PixelPool's own.</param>
    public static int CountFrames(StackTrace stack, int own)
    {
        var libraries = new WrappingLibraries();
        int end = own;
        for (int i = own; i < stack.FrameCount; i++)
        {
            Assembly? assembly = AssemblyOf(stack.GetFrame(i)!);
            if (assembly is not null && libraries.Has(assembly))
            {
                end = i + 1;
            }
            else if (end == own || !IsOfBaseLibrary(assembly))
            {
                return end;
            }
        }

        // Nothing but them, on a thread of the thread pool perhaps.
        return end > own ? end - 1 : own;
    }

    private bool Has(Assembly assembly)
    {
        if (assembly.IsDefined(typeof(RentsForCallersAttribute), inherit: false))
        {
            foreach (RentsForCallersAttribute attribute in assembly.GetCustomAttributes<RentsForCallersAttribute>())
            {
                _names.Add(attribute.Assembly ?? assembly.GetName().Name!);
            }
        }

        return _names.Count > 0 && _names.Contains(assembly.GetName().Name!);
    }

    // What lies between frames of a library: delegates, loops of threads, asynchronous methods.
    private static bool IsOfBaseLibrary(Assembly? assembly) =>
        assembly is null || assembly == typeof(object).Assembly || assembly.GetName().Name!.StartsWith("System.", StringComparison.Ordinal);

#if NET
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Only the assembly is asked for; what was trimmed has none.")]
#endif
    private static Assembly? AssemblyOf(StackFrame frame) => frame.GetMethod()?.Module.Assembly;
}
