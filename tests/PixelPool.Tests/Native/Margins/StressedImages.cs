namespace PixelPool.Tests.Native.Margins;

/// <summary>One thread's images of whole blocks, with a mark of their own in each block.</summary>
internal sealed unsafe class StressedImages(PixelAllocator allocator, int blockBytes, int mostBlocks, Random random)
{
    private const int LongestRun = 12;

    private readonly List<(PixelBuffer<byte> Image, byte Mark)> _held = [];
    private int _blocks;

    public void Step()
    {
        int action = random.Next(16);
        if (action == 0)
        {
            allocator.TrimTo(random.Next(mostBlocks) * (long)blockBytes);
        }
        else if (action < 9 && _blocks < mostBlocks - LongestRun)
        {
            Rent(random.Next(1, random.Next(4) == 0 ? LongestRun : 4), (AllocationOptions)random.Next(4));
        }
        else if (_held.Count != 0)
        {
            Return(random.Next(_held.Count));
        }
    }

    public void ReturnAll()
    {
        while (_held.Count != 0)
        {
            Return(_held.Count - 1);
        }
    }

    private void Rent(int blocks, AllocationOptions options)
    {
        PixelBuffer<byte> image = allocator.Rent<byte>(blockBytes, blocks, options);
        byte mark = (byte)random.Next(1, 256);
        for (int y = 0; y < blocks; y++)
        {
            Span<byte> row = image.DangerousGetRowSpan(y);
            Assert.True((options & AllocationOptions.Clean) == 0 || (row[0] == 0 && row[^1] == 0 && row[blockBytes / 2] == 0));
            row[0] = row[^1] = row[blockBytes / 2] = mark;
        }

        _held.Add((image, mark));
        _blocks += blocks;
        ReadBeside(image);
    }

    private void Return(int index)
    {
        (PixelBuffer<byte> image, byte mark) = _held[index];
        _held[index] = _held[^1];
        _held.RemoveAt(_held.Count - 1);
        _blocks -= image.Height;
        for (int y = 0; y < image.Height; y++)
        {
            Span<byte> row = image.DangerousGetRowSpan(y);
            Assert.Equal((mark, mark, mark), (row[0], row[blockBytes / 2], row[^1]));
        }

        ReadBeside(image);
        image.Dispose();
    }

    // Ends the process where they cannot be read.
    private static void ReadBeside(PixelBuffer<byte> image)
    {
        for (int y = 0; y < image.Height; y++)
        {
            fixed (byte* row = image.DangerousGetRowSpan(y))
            {
                _ = new ReadOnlySpan<byte>(row - Margin.Bytes, Margin.Bytes).Count((byte)1);
                _ = new ReadOnlySpan<byte>(row + image.Width, Margin.Bytes).Count((byte)1);
            }
        }
    }
}
