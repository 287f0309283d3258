using System.Diagnostics;
using System.Reflection;
using SixLabors.ImageSharp.Memory;

namespace PixelPool.ImageSharp;

/// <summary>
/// The pieces that this thread rented for the image that it allocates. ImageSharp allocates an image of several pieces one by one, and forgets those that it has when it is
/// refused one: then they are returned here, at once, and not by a finalizer some time.
/// </summary>
internal sealed class DividedImage
{
    [ThreadStatic]
    private static DividedImage? s_current;

    // Weak: an image that the application forgets must be found.
    private readonly List<WeakReference<IDisposable>> _pieces = [];

    /// <summary>From here on pieces belong to another image.</summary>
    public static void Begin() => s_current?._pieces.Clear();

    /// <summary>A piece that may be one of several. Only large ones are: adding them costs nothing that counts.</summary>
    public static void Add(IDisposable piece)
    {
        try
        {
            s_current ??= new DividedImage();
            s_current._pieces.Add(new WeakReference<IDisposable>(piece));
        }
        catch
        {
            piece.Dispose();
            throw;
        }
    }

    /// <summary>A piece was refused: those before it are returned, if it was one of the same image.</summary>
    public static void GiveBack()
    {
        if (s_current is not { _pieces: { Count: > 0 } pieces } || !IsAllocatingAnImage())
        {
            return;
        }

        foreach (WeakReference<IDisposable> piece in pieces)
        {
            if (piece.TryGetTarget(out IDisposable? owner))
            {
                owner.Dispose();
            }
        }

        pieces.Clear();
    }

    // Otherwise the pieces are those of the image before, which is complete: single buffers are not announced. Who allocates images in ImageSharp is on the stack, and nobody
    // else comes to the allocator that way. Where stacks tell nothing the pieces stay.
    private static bool IsAllocatingAnImage()
    {
        var stack = new StackTrace(fNeedFileInfo: false);
        for (int i = 0; i < stack.FrameCount; i++)
        {
            MethodBase? method = stack.GetFrame(i)!.GetMethod();
            Type? type = method?.DeclaringType;
            if (type is not null && type.Assembly != typeof(DividedImage).Assembly)
            {
                return type.Assembly == typeof(MemoryAllocator).Assembly
                    && (type == typeof(MemoryAllocator) || type.Name == "MemoryGroup`1");
            }
        }

        return false;
    }
}
