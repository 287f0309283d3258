#if !NET
namespace System.Numerics;

/// <summary>The base library has it since .NET Core 3.0.</summary>
internal static class BitOperations
{
    public static int Log2(uint value)
    {
        int log = 0;
        while ((value >>= 1) != 0)
        {
            log++;
        }

        return log;
    }

    public static int TrailingZeroCount(ulong value)
    {
        int count = 0;
        while ((value & 1) == 0)
        {
            value >>= 1;
            count++;
        }

        return count;
    }
}
#endif
