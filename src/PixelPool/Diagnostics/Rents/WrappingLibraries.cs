using System.Diagnostics;
using System.Reflection;

namespace PixelPool.Diagnostics;

/// <summary>
/// Frames that tell nothing about the application: those of PixelPool, of libraries that rent for those who call them (<see cref="RentsForCallersAttribute"/>), and of
/// the base library where that calls either (asynchronous methods, delegates, streams, <see cref="Memory{T}.Pin"/>).
/// </summary>
internal static class WrappingLibraries
{
    /// <summary>How many frames, the first ones, tell nothing about the application.</summary>
    public static int CountFrames(StackTrace stack)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        int end = 0;
        bool isWrapped = false;
        for (int i = 0; i < stack.FrameCount; i++)
        {
            StackFrame frame = stack.GetFrame(i)!;
            string library = StackPlace.LibraryOf(frame);
            if (library == StackPlace.Own)
            {
                end = isWrapped ? end : i + 1;
            }
            else if (IsNamed(names, library, StackPlace.MethodOf(frame)?.Module.Assembly))
            {
                // The last one stays where nobody else is on the stack.
                end = i;
                isWrapped = true;
            }
            else if (!library.StartsWith("System.", StringComparison.Ordinal) && library != typeof(object).Assembly.GetName().Name)
            {
                return i;
            }
        }

        return end;
    }

    // What an assembly says of others is remembered: it may call them.
    private static bool IsNamed(HashSet<string> names, string library, Assembly? assembly)
    {
        try
        {
            if (assembly?.IsDefined(typeof(RentsForCallersAttribute), inherit: false) == true)
            {
                foreach (RentsForCallersAttribute attribute in assembly.GetCustomAttributes<RentsForCallersAttribute>())
                {
                    names.Add(attribute.Assembly ?? library);
                }
            }
        }
#pragma warning disable CA1031 // whatever the runtime throws
        catch (Exception e) when (e is not (OutOfMemoryException or ThreadInterruptedException))
        {
            // It has an attribute of an assembly that is not there: the runtime then tells of none.
        }
#pragma warning restore CA1031

        return names.Contains(library);
    }
}
