#if !NET
namespace System.Numerics;

/// <summary>The base library has it since .NET Core 3.0.</summary>
internal static class BitOperations
{
    public static int Log2(ulong value)
    {
        int log = 0;
        while ((value >>= 1) != 0)
        {
            log++;
        }

        return log;
    }

    // The lowest bit that is set is the only one that it and its negative share.
    public static int TrailingZeroCount(ulong value) => Log2(value & (~value + 1));
}
#endif
