using System.Runtime.InteropServices;

namespace PixelPool.Benchmarks.Peers;

/// <summary>Memory as the system hands it out.</summary>
internal static class Pages
{
    public const int Bytes = 4096;

    /// <summary>An image whose rows are pages: touching a row touches a page.</summary>
    public static PixelAccessorAction<byte> TouchRows { get; } = static accessor =>
    {
        for (int y = 0; y < accessor.Height; y++)
        {
            accessor.GetRowSpan(y)[0] = 1;
        }
    };

    public static void Touch(Span<byte> memory)
    {
        for (int offset = 0; offset < memory.Length; offset += Bytes)
        {
            memory[offset] = 1;
        }
    }

    public static unsafe void Touch(void* memory, int bytes) => Touch(MemoryMarshal.CreateSpan(ref *(byte*)memory, bytes));
}
