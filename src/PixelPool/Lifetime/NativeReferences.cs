using System.Runtime.InteropServices;
using PixelPool.Accounts;
using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>
/// What native code holds, in the whole process. It is held here strongly: neither a collection nor a finalizer ends it, because native code may use the memory
/// until it says otherwise.
/// </summary>
internal static class NativeReferences
{
    private static readonly UninterruptibleLock s_gate = new();

    private static readonly Dictionary<nint, (LifetimeGuard Guard, uint Version, object Holder)> s_held = [];

    private static long s_issued;

    // Allocated while something is held, and from the first time that it could not be held for lack of memory. A plug-in that brings this library with it cannot be unloaded then: native code will call a function of it.
    private static GCHandle s_loaded;

    /// <summary>Takes a reference over.</summary>
    /// <param name="guard">The rent.</param>
    /// <param name="version">The rent's version.</param>
    /// <param name="holder">Whose reference it was: reports name where that was made.</param>
    /// <returns>What releases it, once. Not 0.</returns>
    public static nint Add(LifetimeGuard guard, uint version, object holder)
    {
        MemoryAccounts issuer = guard.Registry.Accounts;
        issuer.HasIssued = true;
        using (s_gate.Hold())
        {
            nint context;
            do
            {
                context = NativeContext.Make(NativeContext.Shorten(issuer.Number), ++s_issued);
            }
            while (context == 0 || s_held.ContainsKey(context));

            if (!s_loaded.IsAllocated)
            {
                s_loaded = GCHandle.Alloc(s_held);
            }

            s_held.Add(context, (guard, version, holder));
            return context;
        }
    }

    /// <summary>Releases a reference. If that was done before, it does nothing but tell. Throws nothing: native code calls it.</summary>
    /// <returns>0, the result of the functions that native code calls.</returns>
    public static int Release(nint context)
    {
        MemoryAccounts? issuer = null;
        try
        {
            if (TryTake(context, out (LifetimeGuard Guard, uint Version, object Holder) held))
            {
                issuer = held.Guard.Registry.Accounts;
                held.Guard.TryRelease(held.Version, held.Holder);
            }
            else if (context != 0)
            {
                issuer = FindIssuer(NativeContext.IssuerOf(context));
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

    /// <summary>Takes a reference out again, which is the caller's then: to be released, or given back to whom it was taken from before anybody knows its context.</summary>
    /// <returns>False when that was done before.</returns>
    public static bool TryTake(nint context, out (LifetimeGuard Guard, uint Version, object Holder) held)
    {
        using (s_gate.Hold())
        {
            bool taken = s_held.TryGetValue(context, out held) && s_held.Remove(context);
            if (taken && s_held.Count == 0)
            {
                s_loaded.Free();
            }

            return taken;
        }
    }

    // Apart: what it allocates must not be allocated by a release that is the first one.
    private static MemoryAccounts? FindIssuer(int number) =>
        MemoryAccounts.ListAll().FindLast(known => known.HasIssued && NativeContext.Shorten(known.Number) == number);
}
