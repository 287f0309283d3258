using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ModelBased;

/// <summary>Objects of one size, beside a list of those that are allocated.</summary>
internal sealed unsafe class FixedBlockSubject<T> : Subject<FixedBlockAct>
    where T : unmanaged
{
    /// <summary>The most objects that one command allocates.</summary>
    public const int MostAtOnce = 200;

    private const int Block = TestSystem.BlockBytes;
    private const int MostBlocks = 4;

    private static readonly int s_perBlock = new PieceLayout(sizeof(T), Block).Capacity;

    private readonly TestSystem _system = new();
    private readonly FixedBlockSupply _supply;
    private readonly PixelAllocator? _images;
    private readonly FixedBlockAllocator<T> _allocator;
    private readonly List<(nint Item, nint Block, byte Stamp)> _items = [];
    private readonly HashSet<nint> _addresses = [];
    private readonly HashSet<nint> _freedElsewhere = [];
    private nint _freed;
    private byte _stamp;

    public FixedBlockSubject(FixedBlockSupply supply)
    {
        _supply = supply;
        PixelAllocatorOptions options = _system.Options(supply is FixedBlockSupply.Allocator or FixedBlockSupply.Budget ? 2 * MostBlocks : MostBlocks, options =>
        {
            options.TrimPolicy = TrimPolicy.Demand;
            options.MaxRentedBytes = supply == FixedBlockSupply.Budget ? MostBlocks * Block : null;
        });
        if (supply is FixedBlockSupply.Allocator or FixedBlockSupply.Budget)
        {
            _images = PixelAllocator.Create(options);
            _allocator = new FixedBlockAllocator<T>(_images);
        }
        else
        {
            _allocator = new FixedBlockAllocator<T>(options, checksFrees: supply == FixedBlockSupply.CheckedFrees);
        }
    }

    private int BlocksInUse => _items.Select(static item => item.Block).Distinct().Count();

    public override void Do(Command<FixedBlockAct> command)
    {
        switch (command.Act)
        {
            case FixedBlockAct.Allocate:
                Allocate();
                break;
            case FixedBlockAct.AllocateMany:
                for (int i = 0; i < command.Size; i++)
                {
                    Allocate();
                }

                break;
            case FixedBlockAct.Free:
                Free(command.Which);
                break;
            case FixedBlockAct.FreeMany:
                for (int i = 0; i < command.Size; i++)
                {
                    Free(command.Which + (i * command.Form));
                }

                break;
            case FixedBlockAct.FreeElsewhere when _items.Count != 0:
                _freedElsewhere.Add(_items[command.Which % _items.Count].Block);
                Simultaneously.Run(1, _ => Free(command.Which));
                break;
            case FixedBlockAct.FreeAgain when _freed != 0 && _supply == FixedBlockSupply.CheckedFrees:
                Assert.Throws<InvalidMemoryOperationException>(() => _allocator.Free((T*)_freed));
                break;
            case FixedBlockAct.FreeForeign when _items.Count != 0 && _supply == FixedBlockSupply.CheckedFrees:
                Assert.Throws<InvalidMemoryOperationException>(() => _allocator.Free((T*)(_items[command.Which % _items.Count].Item + 1 + (command.Size % (sizeof(T) - 1)))));
                break;
            case FixedBlockAct.Clear:
                _allocator.Clear();
                _items.Clear();
                _addresses.Clear();
                _freedElsewhere.Clear();
                _freed = 0;
                break;
            case FixedBlockAct.Trim:
                _allocator.Trim();
                _freedElsewhere.Clear();
                Assert.Equal(((long)BlocksInUse * Block, 0L), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().IdleBytes));
                break;
            case FixedBlockAct.PassTime:
                _system.Time.Advance(TimeSpan.FromSeconds(command.Form));
                break;
            case FixedBlockAct.Refuse:
                _system.Source.FailAt(1 + (command.Which % 2), 1 + (command.Form % 6));
                break;
        }
    }

    public override void Check()
    {
        foreach ((nint item, _, byte stamp) in _items)
        {
            Assert.True(!new ReadOnlySpan<byte>((void*)item, sizeof(T)).ContainsAnyExcept(stamp), "an object is in two hands");
        }

        Assert.Equal(_items.Count, _allocator.Count);
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal(_system.Source.LiveBytes, statistics.RentedBytes + statistics.IdleBytes);
        Assert.Equal(_supply == FixedBlockSupply.Budget ? statistics.RentedBytes : 0, statistics.ChargedBytes);

        // The thread keeps one empty block. Of blocks in which another thread freed something it does not know yet that they are empty.
        int blocks = BlocksInUse;
        long most = _items.Select(static item => item.Block).Concat(_freedElsewhere).Distinct().Count() + 1L;
        Assert.InRange(statistics.RentedBytes, (long)blocks * Block, most * Block);
        Assert.Equal(0, statistics.RentedBytes % Block);
    }

    public override void End()
    {
        _system.Source.Heal();
        while (_items.Count != 0)
        {
            Free(0);
        }

        Check();
        _allocator.Trim();
        Assert.Equal((0L, 0L), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().IdleBytes));
        Dispose();
        _system.Source.AssertAllFreed();
    }

    public override void Dispose()
    {
        _allocator.Dispose();
        _images?.Dispose();
    }

    private void Allocate()
    {
        long failures = _system.Source.Failures;
        T* item;
        try
        {
            item = _allocator.Allocate();
        }
        catch (OutOfMemoryException) when (_system.Source.Failures > failures)
        {
            return;
        }
        catch (InvalidMemoryOperationException) when (_supply != FixedBlockSupply.Allocator)
        {
            // Every block is full.
            Assert.Equal(MostBlocks * s_perBlock, _items.Count);
            return;
        }

        Assert.True(_addresses.Add((nint)item), "an object is handed out twice");
        new Span<byte>(item, sizeof(T)).Fill(_stamp);
        _items.Add(((nint)item, _system.Source.StartOf((nint)item), _stamp++));
        _freed = _freed == (nint)item ? 0 : _freed;
    }

    private void Free(int which)
    {
        if (_items.Count != 0)
        {
            int index = which % _items.Count;
            nint item = _items[index].Item;
            _items[index] = _items[^1];
            _items.RemoveAt(_items.Count - 1);
            _addresses.Remove(item);
            _freed = item;
            _allocator.Free((T*)item);
        }
    }
}
