using System.Buffers;
using System.Globalization;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>Ten thousand random uses of a stream, each compared with a memory stream.</summary>
/// <remarks><c>PIXELPOOLTESTS_STRESS_SEED</c> repeats the choices of a run that failed.</remarks>
public sealed class RandomUseTests : IDisposable
{
    private const int Block = TestSystem.BlockBytes;
    private const int Uses = 2_500;

    private readonly TestSystem _system = new();
    private readonly PixelAllocator _allocator;
    private readonly MemoryStream _model = new();
    private readonly PixelPoolStream _stream;
    private readonly Random _random;

    public RandomUseTests()
    {
        int seed = Environment.GetEnvironmentVariable("PIXELPOOLTESTS_STRESS_SEED") is { } asked ? int.Parse(asked, CultureInfo.InvariantCulture) : Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"PIXELPOOLTESTS_STRESS_SEED={seed}");
        _random = new Random(seed);
        int small = _random.Next(4);
        _allocator = _system.CreateAllocator(configure: options =>
        {
            options.SmallBuffers = small switch { 0 => SmallBufferStrategy.None, 1 => SmallBufferStrategy.Slab, _ => options.SmallBuffers };
            options.SmallBufferThresholdBytes = small switch { 2 => Block, _ => options.SmallBufferThresholdBytes };
        });
        using PixelBuffer<byte> dirt = _allocator.Rent<byte>(Block, 12);
        dirt.Fill(0xCC);
        _stream = new PixelPoolStream(_allocator, _random.Next(3) * _random.Next(3 * Block));
    }

    public void Dispose()
    {
        _stream.Dispose();
        _model.Dispose();
        Assert.Equal((0, 0), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().SecondReturns));
        StatisticsAssert.Balanced(_allocator.GetStatistics());
        _allocator.Dispose();
        _system.Dispose();
    }

    [Theory]
    [InlineData(300)]
    [InlineData(TestSystem.SmallBytes)]
    [InlineData(Block)]
    [InlineData(3 * Block)]
    public async Task Does_what_a_memory_stream_does(int mostBytes)
    {
        for (int use = 0; use < Uses; use++)
        {
            await Use(_random.Next(1 + (_random.Next(4) == 0 ? mostBytes : mostBytes / 20)));
            Assert.Equal((_model.Length, _model.Position), (_stream.Length, _stream.Position));
            Assert.InRange(_stream.Length, 0, _stream.Capacity);
            Assert.True(_allocator.GetStatistics().RentedBytes >= _stream.Capacity);
            if (use % 50 == 0)
            {
                AssertSameBytes();
            }
        }

        AssertSameBytes();
    }

    private async Task Use(int count)
    {
        var form = (TransferForm)_random.Next((int)TransferForm.BeginEnd + 1);
        switch (_random.Next(12))
        {
            case 0 or 1 or 2:
                // A memory stream that nothing is written to behind its end becomes longer.
                byte[] bytes = RandomBytes(Math.Max(1, count));
                await _model.WriteAsync(form, bytes, 0, bytes.Length);
                await _stream.WriteAsync(form, bytes, 0, bytes.Length);
                break;
            case 3 or 4:
                await LendAsync(count);
                break;
            case 5 or 6:
                byte[] expected = new byte[count];
                byte[] actual = new byte[count];
                Assert.Equal(await _model.ReadAsync(form, expected, 0, count), await _stream.ReadAsync(form, actual, 0, count));
                Assert.True(expected.AsSpan().SequenceEqual(actual));
                break;
            case 7:
                _model.WriteByte((byte)count);
                _stream.WriteByte((byte)count);
                Assert.Equal(_model.ReadByte(), _stream.ReadByte());
                break;
            case 8:
                long position = _random.NextInt64(1 + _model.Length + (_random.Next(4) == 0 ? count : 0));
                Assert.Equal(_model.Seek(position, SeekOrigin.Begin), _stream.Seek(position, SeekOrigin.Begin));
                break;
            case 9:
                long length = _random.NextInt64(1 + Math.Min(8 * Block, _model.Length + count));
                _model.SetLength(length);
                _stream.SetLength(length);
                break;
            case 10:
                await CopyAsync();
                break;
            default:
                _model.Position = _model.Length;
                _stream.Position = _stream.Length;
                break;
        }
    }

    // All, a part or nothing of what is lent is used, or it ends before.
    private async Task LendAsync(int count)
    {
        Memory<byte> lent = _stream.GetMemory(count);
        Assert.True(lent.Length >= Math.Max(1, count));
        int used = _random.Next(4) switch { 0 => 0, 1 => Math.Min(count, 1), 2 => count, _ => lent.Length };
        bool ends = _random.Next(8) == 0;

        // Inside of the content it is that content. Behind the end nobody sees what is not advanced over.
        byte[] bytes = RandomBytes(_stream.Position >= _stream.Length ? lent.Length : ends ? 0 : used);
        bytes.CopyTo(lent);
        if (ends)
        {
            await EndAsync(_random.Next(4));
            Assert.Throws<InvalidOperationException>(() => _stream.Advance(1));
            return;
        }

        Assert.Throws<InvalidOperationException>(() => _stream.Advance(lent.Length + 1));
        _stream.Advance(used);
        if (used > 0)
        {
            _model.Write(bytes.AsSpan(0, used));
        }
    }

    private async Task EndAsync(int how)
    {
        switch (how)
        {
            case 0:
                Assert.Equal(_model.Seek(0, SeekOrigin.Current), _stream.Seek(0, SeekOrigin.Current));
                break;
            case 1:
                Assert.Equal(_model.ReadByte(), _stream.ReadByte());
                break;
            case 2:
                await CopyAsync();
                break;
            default:
                _model.SetLength(_model.Length);
                _stream.SetLength(_stream.Length);
                break;
        }
    }

    private async Task CopyAsync()
    {
        using var expected = new MemoryStream();
        using var actual = new MemoryStream();
        _model.CopyTo(expected);
        if (_random.Next(2) == 0)
        {
            _stream.CopyTo(actual);
        }
        else
        {
            await _stream.CopyToAsync(actual, TestContext.Current.CancellationToken);
        }

        Assert.True(expected.ToArray().AsSpan().SequenceEqual(actual.ToArray()));
    }

    private void AssertSameBytes()
    {
        byte[] expected = _model.ToArray();
        Assert.True(expected.AsSpan().SequenceEqual(_stream.ToArray()), "the bytes differ");
        Assert.True(expected.AsSpan().SequenceEqual(_stream.AsReadOnlySequence().ToArray()), "the bytes of the sequence differ");
    }

    private byte[] RandomBytes(int count)
    {
        byte[] bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }
}
