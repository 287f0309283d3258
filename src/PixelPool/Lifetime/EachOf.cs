using System.Runtime.ExceptionServices;
using PixelPool.Threading;

namespace PixelPool.Lifetime;

/// <summary>Ends several rents: each of them, whatever the end of another one throws, as an array pool of the application may.</summary>
internal static unsafe class EachOf
{
    /// <summary>Calls <paramref name="end"/> with <paramref name="count"/> − 1 down to 0.</summary>
    /// <param name="count">How many there are.</param>
    /// <param name="all">Passed on.</param>
    /// <param name="end">A function and no delegate: where there is no memory for one, everything ends all the same.</param>
    /// <exception cref="Exception">What was thrown first, after all were ended.</exception>
    public static void End<TAll>(int count, TAll all, delegate*<TAll, int, void> end)
    {
        Exception? failure = null;
        while (--count >= 0)
        {
            try
            {
                end(all, count);
            }
#pragma warning disable CA1031 // thrown when all were ended
            catch (Exception e)
            {
                if (failure is not null)
                {
                    Uninterrupted.Keep(e);
                }

                failure ??= e;
            }
#pragma warning restore CA1031
        }

        if (failure is not null)
        {
            ExceptionDispatchInfo.Capture(failure).Throw();
        }
    }
}
