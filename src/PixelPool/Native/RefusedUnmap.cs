namespace PixelPool.Native;

/// <summary>A range without pages that the kernel would not unmap, and those before it.</summary>
internal sealed class RefusedUnmap(nint start, nint bytes)
{
    public nint Start => start;

    public nint Bytes => bytes;

    /// <summary>The one that was refused before.</summary>
    public RefusedUnmap? Next { get; private set; }

    /// <summary>Adds one. No lock is waited for: this is on the way back, where no interrupt may be thrown.</summary>
    public static void Push(ref RefusedUnmap? first, RefusedUnmap refused)
    {
        do
        {
            refused.Next = Volatile.Read(ref first);
        }
        while (Interlocked.CompareExchange(ref first, refused, refused.Next) != refused.Next);
    }

    /// <summary>Takes the one that was refused last.</summary>
    public static RefusedUnmap? TryPop(ref RefusedUnmap? first)
    {
        RefusedUnmap? refused;
        do
        {
            refused = Volatile.Read(ref first);
        }
        while (refused is not null && Interlocked.CompareExchange(ref first, refused.Next, refused) != refused);
        return refused;
    }
}
