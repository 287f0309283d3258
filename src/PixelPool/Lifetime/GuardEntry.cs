using System.Runtime.InteropServices;

namespace PixelPool.Lifetime;

/// <summary>The place of one guard in its <see cref="GuardRegistry"/>, which guards the fields.</summary>
internal sealed class GuardEntry
{
    /// <summary>A short weak handle on the guard.</summary>
    public GCHandle Handle;

    public GuardEntry? Previous;

    public GuardEntry? Next;
}
