using System.Buffers;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Streams;

namespace PixelPool.Tests.ModelBased;

/// <summary>A <see cref="PixelPoolStream"/>, beside a memory stream.</summary>
internal sealed class StreamSubject : Subject<StreamAct>
{
    /// <summary>The longest that a write, a seek or a length can be.</summary>
    public const int MostBytes = 2 * Block;

    private const int Block = TestSystem.BlockBytes;

    // A budget of so many blocks is too small for what is written.
    private const int BudgetBlocks = 4;
    private const int MostLength = 6 * Block;

    private static readonly byte[] s_random = CreateRandom();

    private readonly TestSystem _system = new();
    private readonly CountedArrayPool _arrays = new();
    private readonly PixelAllocator _allocator;
    private readonly RentScope? _scope;
    private readonly bool _hasBudget;
    private MemoryStream _model = new();
    private PixelPoolStream _stream;
    private byte _next;

    public StreamSubject(SmallBufferStrategy small, bool hasBudget, bool inScope)
    {
        _hasBudget = hasBudget;
        _allocator = _system.CreateAllocator(configure: options =>
        {
            options.SmallBuffers = small;
            options.ArrayPool = _arrays;
            options.MaxRentedBytes = hasBudget ? BudgetBlocks * Block : null;
        });
        _scope = inScope ? new RentScope(_allocator) : null;

        // What is idle is not zero.
        using (PixelBuffer<byte> dirt = _allocator.Rent<byte>(Block, BudgetBlocks))
        {
            dirt.Fill(0xCC);
        }

        _stream = Open(0);
    }

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public override void Do(Command<StreamAct> command)
    {
        long refusals = _allocator.GetStatistics().BudgetRefusals;
        long failures = _system.Source.Failures;
        try
        {
            Use(command);
        }
        catch (PixelBudgetExceededException) when (_hasBudget && _allocator.GetStatistics().BudgetRefusals > refusals)
        {
            // Nothing has changed: the model has not.
        }
        catch (OutOfMemoryException) when (_system.Source.Failures > failures)
        {
            // The same.
        }
    }

    public override void Check()
    {
        Assert.Equal((_model.Length, _model.Position), (_stream.Length, _stream.Position));
        Assert.InRange(_stream.Length, 0, _stream.Capacity);
        AssertSameBytes();
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal(_system.Source.LiveBytes + _arrays.RentedBytes, statistics.RentedBytes + statistics.IdleBytes);
        Assert.True(statistics.RentedBytes >= _stream.Capacity, "the stream has more than is rented");
        Assert.Equal(0, statistics.SecondReturns);
        if (_hasBudget)
        {
            Assert.InRange(statistics.ChargedBytes, statistics.RentedBytes, BudgetBlocks * Block);
        }
    }

    public override void End()
    {
        _system.Source.Heal();
        _stream.Dispose();
        _scope?.Dispose();
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.WaitingRents, statistics.LeakedCount));
        Assert.Empty(_allocator.GetOutstandingRents());
        _allocator.Dispose();
        _system.Source.AssertAllFreed();
        Assert.Equal(0, _arrays.RentedCount);
    }

    public override void Dispose()
    {
        _stream.Dispose();
        _scope?.Dispose();
        _allocator.Dispose();
    }

    private PixelPoolStream Open(long capacity) => _scope is null ? new PixelPoolStream(_allocator, capacity) : new PixelPoolStream(_scope, capacity);

    // In this order: what the budget or the system refuses the model does not do either.
    private void Use(Command<StreamAct> command)
    {
        var form = (TransferForm)(command.Form % ((int)TransferForm.BeginEnd + 1));
        int size = command.Size;
        switch (command.Act)
        {
            case StreamAct.Read:
                byte[] expected = new byte[size];
                byte[] actual = new byte[size];
                int read = _model.Read(expected);
                Assert.Equal(read, _stream.ReadAsync(form, actual, 0, size).GetAwaiter().GetResult());
                Assert.True(expected.AsSpan().SequenceEqual(actual), "what is read differs");
                break;
            case StreamAct.Write:
                // A memory stream that nothing is written to behind its end becomes longer.
                Write(form, Fresh(Math.Min(Math.Max(1, size), Room())));
                break;
            case StreamAct.ReadByte:
                Assert.Equal(_model.ReadByte(), _stream.ReadByte());
                break;
            case StreamAct.WriteByte:
                byte[] one = Fresh(Room() == 0 ? 0 : 1);
                if (one.Length != 0)
                {
                    _stream.WriteByte(one[0]);
                    _model.Write(one);
                }

                break;
            case StreamAct.Lend:
                Lend(command);
                break;
            case StreamAct.Seek:
                long target = command.Which % 2 == 0 ? size : -Math.Min(size, command.Form % 2 == 0 ? _model.Position : _model.Length);
                SeekOrigin origin = command.Form % 2 == 0 ? SeekOrigin.Current : SeekOrigin.End;
                Assert.Equal(_model.Seek(target, origin), _stream.Seek(target, origin));
                break;
            case StreamAct.SetPosition:
                _stream.Position = size;
                _model.Position = size;
                break;
            case StreamAct.SetLength:
                _stream.SetLength(size);
                _model.SetLength(size);
                break;
            case StreamAct.Copy:
                Copy(command.Form % 2 == 0);
                break;
            case StreamAct.Refuse:
                _system.Source.FailAt(1 + (command.Which % 4), 1 + (command.Form % 6));
                break;
            case StreamAct.Trim:
                _allocator.TrimTo(size);
                break;
            default:
                Reopen(size);
                break;
        }
    }

    private static byte[] CreateRandom()
    {
        byte[] bytes = new byte[MostLength + byte.MaxValue + 1];
        new Random(1).NextBytes(bytes);
        return bytes;
    }

    private int Room() => (int)Math.Max(0, MostLength - _model.Position);

    private void Write(TransferForm form, byte[] bytes)
    {
        // Where a wait would never end, the ways that do not wait.
        form = _hasBudget && form is TransferForm.ArrayAsync or TransferForm.MemoryAsync or TransferForm.BeginEnd ? TransferForm.Array : form;
        if (bytes.Length != 0)
        {
            _stream.WriteAsync(form, bytes, 0, bytes.Length).GetAwaiter().GetResult();
            _model.Write(bytes);
        }
    }

    // A part of what is lent, all or nothing is used.
    private void Lend(Command<StreamAct> command)
    {
        int size = Math.Min(command.Size, Room());
        if (Room() == 0)
        {
            return;
        }

        Span<byte> lent = (command.Form & 1) == 0 ? _stream.GetSpan(size) : _stream.GetMemory(size).Span;
        Assert.True(lent.Length >= Math.Max(1, size), "less was lent than was asked for");
        int used = (command.Which % 4) switch { 0 => 0, 1 => Math.Min(size, 1), 2 => size, _ => Math.Min(lent.Length, Room()) };

        // Inside of the content it is that content. Behind the end nobody sees what is not advanced over.
        byte[] bytes = Fresh(used);
        bytes.CopyTo(lent);
        if (_stream.Position >= _stream.Length)
        {
            lent.Slice(used).Fill(0xEE);
        }

        _stream.Advance(used);
        if (used > 0)
        {
            _model.Write(bytes);
        }
    }

    private void Copy(bool waits)
    {
        using var expected = new MemoryStream();
        using var actual = new MemoryStream();
        _model.CopyTo(expected);
        if (waits)
        {
            _stream.CopyToAsync(actual, Token).GetAwaiter().GetResult();
        }
        else
        {
            _stream.CopyTo(actual);
        }

        Assert.True(expected.GetBuffer().AsSpan(0, (int)expected.Length).SequenceEqual(actual.GetBuffer().AsSpan(0, (int)actual.Length)), "the copies differ");
    }

    private void Reopen(int capacity)
    {
        _stream.Dispose();
        _model.Dispose();
        _model = new MemoryStream();
        _stream = Open(0);
        PixelPoolStream replaced = _stream;
        _stream = Open(capacity);
        replaced.Dispose();
    }

    private void AssertSameBytes()
    {
        ReadOnlySpan<byte> expected = _model.GetBuffer().AsSpan(0, (int)_model.Length);
        foreach (ReadOnlyMemory<byte> part in _stream.AsReadOnlySequence())
        {
            Assert.True(part.Length <= expected.Length && expected.Slice(0, part.Length).SequenceEqual(part.Span), "the bytes differ");
            expected = expected.Slice(part.Length);
        }

        Assert.True(expected.IsEmpty, "bytes are missing");
    }

    // Others than those before.
    private byte[] Fresh(int count) => s_random.AsSpan(_next++, count).ToArray();
}
