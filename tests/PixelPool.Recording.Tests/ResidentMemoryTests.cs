using PixelPool.Diagnostics;
using PixelPool.Diagnostics.Sampling;

namespace PixelPool.Recording.Tests;

public class ResidentMemoryTests
{
    [Fact]
    public unsafe void Memory_that_is_touched_is_counted()
    {
        // Much more than what other tests take and free meanwhile.
        const int Bytes = 512 << 20;
        long before = ResidentMemory.Current();
        void* memory = System.Runtime.InteropServices.NativeMemory.Alloc(Bytes);
        try
        {
            new Span<byte>(memory, Bytes).Fill(1);
            Assert.InRange(ResidentMemory.Current() - before, Bytes / 2, 1L << 40);
        }
        finally
        {
            System.Runtime.InteropServices.NativeMemory.Free(memory);
        }
    }

    [Theory]
    [InlineData("70000 3210 9 1 0 5 0\n", 3210)]
    [InlineData("70000 3210", 3210)]
    [InlineData("70000", null)]
    [InlineData("", null)]
    [InlineData("a b", null)]
    public void The_second_number_of_a_line_is_read(string text, int? expected)
    {
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, text);
            bool isThere = ProcessFile.TryOpen(path)!.TryReadSecondNumber(out long value);
            Assert.Equal(expected, isThere ? (int)value : null);
        }
        finally
        {
            File.Delete(path);
        }
    }
}
