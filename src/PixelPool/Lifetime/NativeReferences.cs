using System.Runtime.InteropServices;
using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>
/// What native code holds, in the whole process. It is held here strongly: neither a collection nor a finalizer ends it, because native code may use the memory
/// until it says otherwise.
/// </summary>
internal static class NativeReferences
{
    private static readonly UninterruptibleLock s_gate = new();

    private static readonly Dictionary<nint, NativeReference> s_held = [];

    // By their shortened numbers, weakly: whom to tell of a second release.
    private static readonly Dictionary<int, WeakReference<GuardRegistry>> s_issuers = [];
    private static long s_issued;

    // Allocated while something is held. A plug-in that brings this library with it cannot be unloaded then: native code will call a function of it.
    private static GCHandle s_loaded;

    /// <summary>Takes a reference over.</summary>
    /// <param name="guard">The rent.</param>
    /// <param name="version">The rent's version.</param>
    /// <param name="holder">Whose reference it was.</param>
    /// <returns>What releases it, once. Not 0.</returns>
    public static nint Add(LifetimeGuard guard, uint version, object holder)
    {
        var reference = new NativeReference(guard, version, holder);
        int issuer = NativeContext.Shorten(guard.Registry.Number);
        using (s_gate.Hold())
        {
            Remember(issuer, guard.Registry);
            nint context;
            do
            {
                context = NativeContext.Make(issuer, ++s_issued);
            }
            while (context == 0 || s_held.ContainsKey(context));

            bool isFirst = s_held.Count == 0;
            s_held.Add(context, reference);
            if (isFirst)
            {
                Load(context);
            }

            return context;
        }
    }

    /// <summary>Gives a reference back to whom it was taken from, before anybody knows its context.</summary>
    public static void Forget(nint context) => TryTake(context, out _, out _);

    /// <summary>Releases a reference. If that was done before, it does nothing but tell. Throws nothing: native code calls it.</summary>
    /// <returns>0, the result of the functions that native code calls.</returns>
    public static int Release(nint context)
    {
        GuardRegistry? issuer = null;
        try
        {
            if (TryTake(context, out NativeReference reference, out issuer))
            {
                reference.Release();
            }
            else
            {
                issuer?.TellSecondReturn();
            }
        }
#pragma warning disable CA1031 // The application's code (an ArrayPool, a release of wrapped memory) threw. The accounts are right, and native code cannot catch it.
        catch (Exception failure)
        {
            issuer?.Listener.OnApplicationFailed("Dispose", failure);
        }
#pragma warning restore CA1031

        return 0;
    }

    private static void Load(nint first)
    {
        try
        {
            s_loaded = GCHandle.Alloc(s_held);
        }
        catch (OutOfMemoryException)
        {
            s_held.Remove(first);
            throw;
        }
    }

    private static bool TryTake(nint context, out NativeReference reference, out GuardRegistry? issuer)
    {
        using (s_gate.Hold())
        {
            if (s_held.TryGetValue(context, out reference))
            {
                s_held.Remove(context);
                if (s_held.Count == 0)
                {
                    s_loaded.Free();
                }

                issuer = reference.Guard.Registry;
                return true;
            }

            issuer = null;
            if (context != 0 && s_issuers.TryGetValue(NativeContext.IssuerOf(context), out WeakReference<GuardRegistry>? known))
            {
                known.TryGetTarget(out issuer);
            }

            return false;
        }
    }

    private static void Remember(int number, GuardRegistry issuer)
    {
        if (s_issuers.TryGetValue(number, out WeakReference<GuardRegistry>? known) && known.TryGetTarget(out GuardRegistry? last) && last == issuer)
        {
            return;
        }

        foreach (int gone in s_issuers.Where(static entry => !entry.Value.TryGetTarget(out _)).Select(static entry => entry.Key).ToArray())
        {
            s_issuers.Remove(gone);
        }

        s_issuers[number] = new WeakReference<GuardRegistry>(issuer);
    }
}
