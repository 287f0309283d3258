using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using PixelPool.Threading;

namespace PixelPool.Diagnostics;

/// <summary>
/// Keeps stacks, each of them once: an application rents at few places, so what a million held images remember is a few stacks. Its files and lines are looked up when somebody asks. It costs some garbage: the frames tell whether it is known, and .NET makes
/// objects of all of them (2 KiB, and 240 bytes for each frame).
/// </summary>
internal sealed class RentStackTable
{
    // An application with more places than that pays for some of them again.
    private const int MaxStacks = 1024;

    private readonly Dictionary<ulong, RentStack> _stacks = [];
    private readonly UninterruptibleLock _gate = new();

    /// <summary>The stack of the caller.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public RentStack Capture()
    {
        var frames = new StackTrace(skipFrames: 1, fNeedFileInfo: false);
        ulong key = Fingerprint(frames, out bool canBeUnloaded);
        RentStack? stack;
        using (_gate.Hold())
        {
            _stacks.TryGetValue(key, out stack);
        }

        if (stack is null)
        {
#if NET
            stack = !canBeUnloaded && SourceFrame.CanFind(frames) ? new RentStack(frames) : null;
#endif
            // Not under the lock: symbols are loaded, and who listens to that may rent.
            stack ??= new RentStack(new StackTrace(skipFrames: 1 + WrappingLibraries.CountFrames(frames), fNeedFileInfo: true), canBeUnloaded);
            using (_gate.Hold())
            {
                if (_stacks.Count >= MaxStacks)
                {
                    _stacks.Clear();
                }

                _stacks[key] = stack;
            }
        }

        return stack;
    }

    /// <summary>A number for the methods and the places in them.</summary>
    /// <param name="frames">The stack.</param>
    /// <param name="canBeUnloaded">Whether the code of any of them can be unloaded.</param>
    public static ulong Fingerprint(StackTrace frames, out bool canBeUnloaded)
    {
        ulong key = 0;
        canBeUnloaded = false;
        for (int i = 0; i < frames.FrameCount; i++)
        {
            StackFrame frame = frames.GetFrame(i)!;
            MethodBase? method = StackPlace.MethodOf(frame);

            // Native AOT keeps no methods for stacks: the addresses of the instructions tell as much.
            key = Mix(key, method is null ? (ulong)frame.GetNativeIP() : (ulong)(uint)method.GetHashCode() << 32 | (uint)frame.GetILOffset());
            if (method is not null && UnloadableCode.Has(method))
            {
                canBeUnloaded = true;
                key = Mix(key, UnloadableCode.Identify(method));
            }
        }

        return key;
    }

    // A step of a multiplicative hash: odd factor, high bits folded back.
    private static ulong Mix(ulong key, ulong value)
    {
        key = (key ^ value) * 0x9E37_79B9_7F4A_7C15;
        return key ^ (key >> 29);
    }
}
