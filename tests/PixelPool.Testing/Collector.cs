namespace PixelPool.Testing;

/// <summary>Collects garbage until finalizers have nothing left to do: also objects that finalizers released, or that live until their second collection.</summary>
internal static class Collector
{
    private const int Rounds = 4;

    public static void CollectAll()
    {
        for (int i = 0; i < Rounds; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}
