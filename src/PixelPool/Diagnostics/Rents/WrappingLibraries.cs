using System.Diagnostics;
#if NET
using System.Diagnostics.CodeAnalysis;
#endif
using System.Reflection;

namespace PixelPool.Diagnostics;

/// <summary>Frames of libraries that rent for those who call them: <see cref="RentsForCallersAttribute"/>.</summary>
internal static class WrappingLibraries
{
    /// <summary>How many frames, the first ones, tell nothing about the application.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="own">How many of them are PixelPool's own.</param>
    public static int CountFrames(StackTrace stack, int own)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        int end = own;
        for (int i = own; i < stack.FrameCount; i++)
        {
            Assembly? assembly = AssemblyOf(stack.GetFrame(i)!);
            if (assembly is not null && IsNamed(names, assembly))
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

    // What an assembly says of others is remembered: it may call them.
    private static bool IsNamed(HashSet<string> names, Assembly assembly)
    {
        try
        {
            if (assembly.IsDefined(typeof(RentsForCallersAttribute), inherit: false))
            {
                foreach (RentsForCallersAttribute attribute in assembly.GetCustomAttributes<RentsForCallersAttribute>())
                {
                    names.Add(attribute.Assembly ?? assembly.GetName().Name!);
                }
            }
        }
#pragma warning disable CA1031 // whatever the runtime throws
        catch (Exception e) when (e is not (OutOfMemoryException or ThreadInterruptedException))
        {
            // It has an attribute of an assembly that is not there: the runtime then tells of none.
        }
#pragma warning restore CA1031

        return names.Count > 0 && names.Contains(assembly.GetName().Name!);
    }

    // What lies between frames of a library: delegates, loops of threads, asynchronous methods.
    private static bool IsOfBaseLibrary(Assembly? assembly) =>
        assembly is null || assembly == typeof(object).Assembly || assembly.GetName().Name!.StartsWith("System.", StringComparison.Ordinal);

#if NET
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Only the assembly is asked for; what was trimmed has none.")]
#endif
    private static Assembly? AssemblyOf(StackFrame frame) => frame.GetMethod()?.Module.Assembly;
}
