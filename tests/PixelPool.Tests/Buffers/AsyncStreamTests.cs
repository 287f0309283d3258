using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Buffers;

/// <summary>Pixels in and out of streams without a blocked thread: exactly the pixels, at any stride, and memory that stays until the end.</summary>
public class AsyncStreamTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public async Task Streams_get_and_give_exactly_the_pixels(MemoryTier tier)
    {
        foreach (int alignment in (int[])[1, 64])
        {
            PixelAllocatorOptions options = TierSizes.Options(tier);
            options.RowAlignmentBytes = alignment;
            using PixelAllocator allocator = PixelAllocator.Create(options);
            using PixelBuffer<Rgb24> image = TierSizes.Rent<Rgb24>(allocator, tier, rowAlignmentBytes: alignment);
            PixelPattern.Write(image);
            using var expected = new MemoryStream();
            image.WriteTo(expected);
            using var written = new MemoryStream();
            await image.WriteToAsync(written, Token);
            Assert.Equal(expected.ToArray(), written.ToArray());

            PixelPattern.Fill(image, 0);
            using var trickle = new TrickleStream([.. expected.ToArray(), 99]);
            await image.ReadFromAsync(trickle, Token);
            PixelPattern.AssertHolds(image);
            Assert.Equal(99, trickle.ReadByte());
        }
    }

    [Theory]
    [InlineData(400)]
    [InlineData(500)]
    [InlineData(-400)]
    [InlineData(-500)]
    public async Task Any_stride_up_or_down(int stride)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        byte[] memory = new byte[500 * 7];
        using PixelBuffer<byte> owner = allocator.Wrap<byte>(memory.AsMemory(), 500 * 7, 1);
        using PinnedPixels pin = owner.Pin();
        nint first = Address(pin) + (stride < 0 ? -stride * 6 : 0);
        using PixelBuffer<uint> image = allocator.Wrap<uint>(first, 100, 7, stride);
        PixelPattern.Write(image);
        using var written = new MemoryStream();
        await image.WriteToAsync(written, Token);
        image.Fill(0);
        written.Position = 0;
        await image.ReadFromAsync(written, Token);
        PixelPattern.AssertHolds(image);

        static unsafe nint Address(PinnedPixels pin) => (nint)pin.Pointer;
    }

    [Fact]
    public async Task Memory_stays_until_the_stream_is_done_with_it()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        PixelBuffer<uint> image = allocator.Rent<uint>(100, 400);
        image.Fill(7);
        using var slow = new HeldStream();
        Task writing = image.WriteToAsync(slow, Token).AsTask();
        image.Dispose();
        Assert.NotEqual(0, allocator.GetStatistics().RentedBytes);
        Assert.Throws<ObjectDisposedException>(() => _ = image.WriteToAsync(Stream.Null, Token));
        using (PixelBuffer<uint> next = allocator.Rent<uint>(100, 400))
        {
            next.Fill(8);
            slow.Proceed();
            await writing;
        }

        Assert.Equal(100 * 400 * 4, slow.Written.Length);
        Assert.All(slow.Written.ToArray().Chunk(4), static pixel => Assert.Equal(7, pixel[0]));
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Fact]
    public async Task What_ends_early_fails_or_is_cancelled_releases_the_memory()
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator();
        PixelBuffer<uint> image = allocator.Rent<uint>(100, 400);
        foreach (int length in (int[])[0, 1000, TestSystem.BlockBytes + 1, 159_999])
        {
            EndOfStreamException e = await Assert.ThrowsAsync<EndOfStreamException>(() => image.ReadFromAsync(new MemoryStream(new byte[length]), Token).AsTask());
            Assert.Contains($"after {length} of 160000 bytes", e.Message, StringComparison.Ordinal);
        }

        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => image.ReadFromAsync(new MemoryStream(new byte[200_000]), cancelled.Token).AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => image.WriteToAsync(new MemoryStream(), cancelled.Token).AsTask());
        await Assert.ThrowsAsync<NotSupportedException>(() => image.WriteToAsync(new MemoryStream(new byte[4]), Token).AsTask());
        Assert.Throws<ArgumentNullException>(() => _ = image.ReadFromAsync(null!, Token));
        Assert.Throws<ArgumentNullException>(() => _ = image.WriteToAsync(null!, Token));
        image.Dispose();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void A_row_as_memory_ends_with_the_buffer(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> image = TierSizes.Rent<uint>(allocator, tier);
        Memory<uint> last = image.DangerousGetRowMemory(image.Height - 1);
        Assert.Equal(image.Width, last.Length);
        last.Span[^1] = 5;
        Assert.Equal(5u, image[image.Width - 1, image.Height - 1]);
        Assert.Throws<ArgumentOutOfRangeException>(() => image.DangerousGetRowMemory(image.Height));
        Assert.Throws<ArgumentOutOfRangeException>(() => image.DangerousGetRowMemory(-1));
        image.Dispose();
        Assert.Throws<ObjectDisposedException>(() => last.Span.Length);
        TierSizes.AssertQuiet(allocator);
    }

    private sealed class HeldStream : Stream
    {
        private readonly TaskCompletionSource _proceed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public MemoryStream Written { get; } = new();

        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public void Proceed() => _proceed.SetResult();

        public override async Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
        {
            await _proceed.Task;
            Written.Write(buffer, offset, count);
        }

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            await _proceed.Task;
            Written.Write(buffer.Span);
        }

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
