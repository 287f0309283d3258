using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.FixedBlocks;

/// <summary><c>Count</c> while one thread allocates and others free: it says what was true at some moment of the call.</summary>
[Trait("Category", "Long")]
public sealed unsafe class CountTests
{
    private const int Freeing = 3;
    private const int Objects = 20_000;

    // Every count walks over all that was freed since the last room was needed: so they are taken after some progress only.
    private const int FreesPerCount = 50;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <param name="checksFrees">Whether frees are checked.</param>
    /// <param name="isFull">Whether all objects are there before the first one is freed: then nobody takes over what comes back.</param>
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void It_is_exact_beside_frees_on_other_threads(bool checksFrees, bool isFull)
    {
        using var system = new TestSystem();
        using var objects = new FixedBlockAllocator<Sized.Of32>(system.Options(capacityInBlocks: 1024), checksFrees);
        nint[] items = new nint[Objects];
        int allocated = 0;
        int freed = 0;
        using var isOver = new ManualResetEventSlim();
        Simultaneously.Run(Freeing + 2, index =>
        {
            if (index == 0)
            {
                for (int i = 0; i < Objects; i++)
                {
                    items[i] = (nint)objects.Allocate();
                    Volatile.Write(ref allocated, i + 1);
                }

                // What a thread has that ended would go to others.
                Assert.True(isOver.Wait(s_limit));
            }
            else if (index <= Freeing)
            {
                for (int i = index - 1; i < Objects; i += Freeing)
                {
                    Await(ref allocated, isFull ? Objects : i + 1);
                    objects.Free((Sized.Of32*)items[i]);
                    Interlocked.Increment(ref freed);
                }
            }
            else
            {
                for (int next = 0; next < Objects; next += FreesPerCount)
                {
                    Await(ref freed, next);
                    Count(objects, ref allocated, ref freed);
                }

                Await(ref freed, Objects);
                Assert.Equal(0, objects.Count);
                isOver.Set();
            }
        });
        Assert.Equal(0, objects.Count);
        objects.Allocate();
        Assert.Equal(1, objects.Count);
    }

    // The numbers are noted after each call: of those that run, one allocates and the others free.
    private static void Count(FixedBlockAllocator<Sized.Of32> objects, ref int allocated, ref int freed)
    {
        int freedBefore = Volatile.Read(ref freed);
        int allocatedBefore = Volatile.Read(ref allocated);
        long count = objects.Count;
        Interlocked.MemoryBarrier();
        int allocatedAfter = Volatile.Read(ref allocated);
        int freedAfter = Volatile.Read(ref freed);
        Assert.InRange(count, Math.Max(0, allocatedBefore - freedAfter - Freeing), allocatedAfter + 1 - freedBefore);
    }

    private static void Await(ref int number, int least)
    {
        long began = TimeProvider.System.GetTimestamp();
        var spin = default(SpinWait);
        while (Volatile.Read(ref number) < least)
        {
            spin.SpinOnce(sleep1Threshold: -1);
            Assert.True(TimeProvider.System.GetElapsedTime(began) < s_limit, "no progress");
        }
    }
}
