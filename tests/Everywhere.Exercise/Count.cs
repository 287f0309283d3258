namespace Everywhere.Exercise;

/// <summary>What bands on several threads add up.</summary>
internal sealed class Count
{
    private int _sum;

    public int Sum => Volatile.Read(ref _sum);

    public void Add(int value) => Interlocked.Add(ref _sum, value);
}
