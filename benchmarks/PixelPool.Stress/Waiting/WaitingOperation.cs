namespace PixelPool.Stress.Waiting;

/// <summary>What one operation works with.</summary>
/// <param name="allocator">Where it rents.</param>
/// <param name="random">Says how large its memory is.</param>
/// <param name="all">Where all operations of a case meet that must hold something at the same time.</param>
internal sealed class WaitingOperation(PixelAllocator allocator, Random random, SharedMeeting all)
{
    private const int PageBytes = 4096;

    public PixelAllocator Allocator => allocator;

    public SharedMeeting All => all;

    /// <summary>A random size.</summary>
    public int Size(int atLeast, int atMost) => random.Next(atLeast, atMost + 1);

    /// <summary>Work on the memory: all of its pages are written to.</summary>
    public static void Use(Memory<byte> memory)
    {
        Span<byte> bytes = memory.Span;
        for (int i = 0; i < bytes.Length; i += PageBytes)
        {
            bytes[i]++;
        }
    }

    /// <summary>Something that takes time and no processor, such as a client that sends.</summary>
    public Task PauseAsync() => Task.Delay(TimeSpan.FromMilliseconds(random.Next(20)), TimeProvider.System);
}
