using System.Runtime.CompilerServices;

namespace PixelPool.Stress.ThreadScaling.SideBySide;

/// <summary>64 additions that wait for nothing but each other: what is not done twice as often by two threads is not for lack of a pool.</summary>
internal readonly struct Additions : IUntouchedRent
{
    public void RentAndReturn() => Add(64);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long Add(int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += sum ^ i;
        }

        return sum;
    }
}
