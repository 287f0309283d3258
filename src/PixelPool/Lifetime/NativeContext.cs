namespace PixelPool.Lifetime;

/// <summary>
/// The numbers by which native code knows its references. Each is issued once: one process would have to issue 2⁴⁴ of them (2²⁴ in 32 bits) before the first comes again.
/// </summary>
/// <remarks>
/// A number also says whose it is, without looking anything up: so a second release is told to the right allocator, however long ago the first one was. It is
/// multiplied by an odd constant, which loses nothing and spreads the numbers over all there are: what was never issued is hardly ever taken for one.
/// </remarks>
internal static class NativeContext
{
    // The golden ratio's part of 2⁶⁴, and its inverse: their product is 1. So it is of their lower halves, in 32 bits.
    private const ulong Spread = 0x9E37_79B9_7F4A_7C15;
    private const ulong Gather = 0xF1DE_83E1_9937_733D;

    private static readonly int s_issuerBits = IntPtr.Size == 8 ? 20 : 8;

    /// <summary>The number of an issuer that has so many bits as there are room for.</summary>
    public static int Shorten(int issuer) => issuer & ((1 << s_issuerBits) - 1);

    /// <param name="issuer">A number that was shortened.</param>
    /// <param name="count">How many were issued, with this one.</param>
    public static nint Make(int issuer, long count) => unchecked((nint)(long)((((ulong)count << s_issuerBits) | (uint)issuer) * Spread));

    /// <summary>Whose it is, if it is anybody's.</summary>
    public static int IssuerOf(nint context) => Shorten(unchecked((int)((ulong)(long)context * Gather)));
}
