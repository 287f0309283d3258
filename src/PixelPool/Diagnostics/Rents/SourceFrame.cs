#if NET
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace PixelPool.Diagnostics;

/// <summary>
/// A frame with its file and line, looked up in symbols after the stack was taken. .NET finds them only while it takes a stack, and loads for the first one what takes longer than all else that a
/// program needs to rent its first image.
/// </summary>
internal sealed class SourceFrame : StackFrame
{
    private readonly StackFrame _frame;

    private SourceFrame(StackFrame frame, string file, SequencePoint point)
        : base(file, point.StartLine, point.StartColumn) => _frame = frame;

    /// <summary>Whether all code of a stack is in files, beside which its symbols are. What was loaded from memory has them where only .NET finds them.</summary>
    public static bool CanFind(StackTrace stack) => Array.TrueForAll(stack.GetFrames(), static frame => FileOf(frame).Length != 0);

    /// <summary>The stack without its first frames, with files and lines where there are symbols.</summary>
    /// <param name="stack">A stack of which <see cref="CanFind"/> is true.</param>
    /// <param name="skipped">The frames to leave out.</param>
    /// <param name="most">How many of the others there are to be.</param>
    public static StackTrace Find(StackTrace stack, int skipped, int most = int.MaxValue) =>
        new(stack.GetFrames().Skip(skipped).Take(most).Select(static frame => TryFind(frame) ?? frame));

    [RequiresUnreferencedCode("As of every frame.")]
    public override MethodBase? GetMethod() => _frame.GetMethod();

    public override int GetILOffset() => _frame.GetILOffset();

    public override int GetNativeOffset() => _frame.GetNativeOffset();

    private static SourceFrame? TryFind(StackFrame frame)
    {
        try
        {
            string file = FileOf(frame);
            using var code = new PEReader(File.OpenRead(file));
            if (!code.TryOpenAssociatedPortablePdb(file, static path => File.Exists(path) ? File.OpenRead(path) : null, out MetadataReaderProvider? symbols, out _))
            {
                return null;
            }

            using (symbols)
            {
                MetadataReader reader = symbols!.GetMetadataReader();
                var method = (MethodDefinitionHandle)MetadataTokens.Handle(StackPlace.MethodOf(frame)!.MetadataToken);
                return IsLoaded(code, frame) && PointOf(reader.GetMethodDebugInformation(method), frame.GetILOffset()) is { } point
                    ? new SourceFrame(frame, reader.GetString(reader.GetDocument(point.Document).Name), point)
                    : null;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or BadImageFormatException or InvalidCastException or InvalidOperationException)
        {
            // As .NET does where symbols cannot be read.
            return null;
        }
    }

    // A file may have been replaced since: its lines would be those of other code.
    private static bool IsLoaded(PEReader code, StackFrame frame)
    {
        MetadataReader metadata = code.GetMetadataReader();
        return metadata.GetGuid(metadata.GetModuleDefinition().Mvid) == StackPlace.MethodOf(frame)!.Module.ModuleVersionId;
    }

    // The last one before the place, but not those that the compiler wants nobody to see.
    private static SequencePoint? PointOf(MethodDebugInformation method, int offset)
    {
        SequencePoint? last = null;
        foreach (SequencePoint point in method.SequencePointsBlob.IsNil ? default : method.GetSequencePoints())
        {
            if (point.Offset > offset)
            {
                break;
            }

            last = point.IsHidden ? last : point;
        }

        return last;
    }

    [UnconditionalSuppressMessage("SingleFile", "IL3000", Justification = "Without a file, .NET finds the symbols.")]
    private static string FileOf(StackFrame frame) => StackPlace.MethodOf(frame)?.Module.Assembly.Location ?? string.Empty;
}
#endif
