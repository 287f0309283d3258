namespace PixelPool.Tests.ManagedMemory;

/// <summary>Collects garbage and lets finalizers run, without memory. Those of the base library allocate after each collection, which collects again: so nobody can wait for all of them.</summary>
internal sealed class FinalizerRounds
{
    private static int s_finalized;

    private readonly Finalized?[] _rounds = [new(), new(), new()];

    /// <summary>To be called once.</summary>
    public void Run()
    {
        for (int i = 0; i < _rounds.Length; i++)
        {
            int before = Volatile.Read(ref s_finalized);
            _rounds[i] = null;
            GC.Collect();
            var wait = default(SpinWait);
            while (Volatile.Read(ref s_finalized) == before)
            {
                wait.SpinOnce();
            }
        }
    }

    private sealed class Finalized
    {
        ~Finalized() => Interlocked.Increment(ref s_finalized);
    }
}
