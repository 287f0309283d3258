using System.Buffers;
using System.Globalization;
using System.Runtime;
using System.Runtime.InteropServices;

namespace PixelPool.Startup;

/// <summary>A program that needs one image: it gets the memory, fills it, and gives it back. Then it says what that cost.</summary>
internal static class ShortProgram
{
    private const int Width = 1920;
    private const int Height = 1080;
    private const int Bytes = Width * Height * sizeof(int);

    /// <summary>In the order of the table. The first does nothing.</summary>
    public static string[] Contenders => ["nothing", "ArrayPool", "NativeMemory", "PixelPool"];

    public static void Run(string contender)
    {
        PixelAllocator? allocator = null;
        switch (contender)
        {
            case "ArrayPool":
                RentArray();
                break;
            case "NativeMemory":
                Allocate();
                break;
            case "PixelPool":
                allocator = RentImage();
                break;
        }

        int methods = (int)JitInfo.GetCompiledMethodCount();
        double milliseconds = Environment.CpuUsage.TotalTime.TotalMilliseconds;
        Trim(allocator);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{milliseconds} {methods} {Environment.WorkingSet}"));
    }

    private static void RentArray()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(Bytes);
        array.AsSpan(0, Bytes).Fill(7);
        ArrayPool<byte>.Shared.Return(array);
    }

    private static unsafe void Allocate()
    {
        void* memory = NativeMemory.Alloc(Bytes);
        new Span<byte>(memory, Bytes).Fill(7);
        NativeMemory.Free(memory);
    }

    private static PixelAllocator RentImage()
    {
        PixelAllocator allocator = PixelAllocator.Create();
        using PixelBuffer<int> image = allocator.Rent<int>(Width, Height);
        image.Fill(7);
        return allocator;
    }

    private static void Trim(PixelAllocator? allocator) => allocator?.Trim();
}
