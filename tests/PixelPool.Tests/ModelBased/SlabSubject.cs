using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ModelBased;

/// <summary>An allocator whose small memory comes from slabs, beside a list of what is rented of it.</summary>
internal sealed partial class SlabSubject : Subject<SlabAct>
{
    /// <summary>The largest rent that a slab serves.</summary>
    public const int MostBytes = Block / 2;

    private const int Block = TestSystem.BlockBytes;
    private const int MostPieces = 200;
    private const int CapacityBlocks = 24;
    private const int BudgetBlocks = 12;

    // The smallest piece, and what every size is a multiple of.
    private const int Line = 64;

    private readonly TestSystem _system = new();
    private readonly CountedArrayPool _arrays = new();
    private readonly PixelAllocator _allocator;
    private readonly bool _hasBudget;
    private readonly List<Piece> _pieces = [];
    private PixelLease<byte>? _returned;
    private byte _cookie;
    private long _rents;
    private long _refusals;
    private long _leaks;
    private long _leakedBytes;
    private long _secondReturns;

    public SlabSubject(bool hasBudget, bool clears)
    {
        _hasBudget = hasBudget;
        _allocator = _system.CreateAllocator(CapacityBlocks, options =>
        {
            options.SmallBuffers = SmallBufferStrategy.Slab;
            options.SmallBufferThresholdBytes = MostBytes;
            options.ArrayPool = _arrays;
            options.MaxRentedBytes = hasBudget ? BudgetBlocks * Block : null;
            options.ClearOnReturn = clears;
            options.TrimPolicy = TrimPolicy.Demand;
            options.LongWaitThreshold = Timeout.InfiniteTimeSpan;
        });
    }

    private int BlocksInUse => _pieces.Where(static piece => piece.Block != 0).Select(static piece => piece.Block).Distinct().Count();

    private long RentedBytes => _pieces.Sum(static piece => piece.HeldBytes);

    // What nobody can give back: blocks with pieces in use, and arrays.
    private long HeldByRents => ((long)BlocksInUse * Block) + _pieces.Where(static piece => piece.Block == 0).Sum(static piece => piece.HeldBytes);

    public override void Do(Command<SlabAct> command)
    {
        switch (command.Act)
        {
            case SlabAct.Rent:
                Rent(command.Size, command.Form);
                break;
            case SlabAct.RentMany:
                for (int i = 0; i <= command.Form; i++)
                {
                    Rent(command.Size, command.Form);
                }

                break;
            case SlabAct.RentAsync when _hasBudget:
                RentAsync(command.Size);
                break;
            case SlabAct.Cancel when _waiting.Count != 0:
                _waiting[command.Which % _waiting.Count].Cancellation.Cancel();
                break;
            case SlabAct.Return:
                Return(command.Which);
                break;
            case SlabAct.ReturnMany:
                for (int i = 0; i <= command.Form; i++)
                {
                    Return(command.Which + (i * command.Size));
                }

                break;
            case SlabAct.ReturnElsewhere when _pieces.Count != 0:
                Simultaneously.Run(1, _ => Return(command.Which));
                break;
            case SlabAct.ReturnAgain when _returned is { } returned:
                returned.Dispose();
                _secondReturns++;
                break;
            case SlabAct.Write when _pieces.Count != 0:
                _pieces[command.Which % _pieces.Count].Fill(_cookie++);
                break;
            case SlabAct.Forget when _pieces.Count != 0:
                Forget(command.Which % _pieces.Count);
                Forgotten.Collect(_allocator, _leaks);
                break;
            case SlabAct.Trim:
                _allocator.Trim();
                Assert.Equal(HeldByRents - RentedBytes, _allocator.GetStatistics().IdleBytes);
                break;
            case SlabAct.PassTime:
                _system.Time.Advance(TimeSpan.FromSeconds(command.Form));
                break;
            case SlabAct.RunShort:
                _system.Pressure.High = true;
                _system.Time.Advance(TimeSpan.FromMinutes(1));
                _system.Pressure.High = false;
                Assert.Equal(HeldByRents - RentedBytes, _allocator.GetStatistics().IdleBytes);
                break;
            case SlabAct.Refuse:
                _system.Source.FailAt(1 + (command.Which % 4), 1 + (command.Form % 6));
                break;
        }
    }

    public override void Check()
    {
        Settle();
        foreach (Piece piece in _pieces)
        {
            piece.AssertContent();
        }

        PixelPoolStatistics statistics = _allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal(RentedBytes, statistics.RentedBytes);
        Assert.Equal(_system.Source.LiveBytes + _arrays.RentedBytes, statistics.RentedBytes + statistics.IdleBytes);
        Assert.Equal(_hasBudget ? HeldByRents : 0, statistics.ChargedBytes);
        Assert.Equal((_rents, _refusals), (statistics.SmallRents, statistics.BudgetRefusals));
        Assert.Equal((_leaks, _leakedBytes, _secondReturns), (statistics.LeakedCount, statistics.LeakedBytes, statistics.SecondReturns));
    }

    public override void End()
    {
        _system.Source.Heal();
        _waiting.ForEach(static request => request.Cancellation.Cancel());
        Settle();
        Assert.Empty(_waiting);
        _pieces.ForEach(static piece => piece.Lease.Dispose());
        _pieces.Clear();
        Check();
        Assert.Empty(_allocator.GetOutstandingRents());
        _allocator.Trim();
        Assert.Equal(0, _allocator.GetStatistics().IdleBytes);
        _allocator.Dispose();
        _system.Source.AssertAllFreed();
        Assert.Equal(0, _arrays.RentedCount);
    }

    public override void Dispose()
    {
        _pieces.ForEach(static piece => piece.Lease.Dispose());
        _allocator.Dispose();
    }

    private void Rent(int size, int form)
    {
        size = Math.Max(1, size);
        if (_pieces.Count == MostPieces)
        {
            return;
        }

        AllocationOptions options = form % 3 == 0 ? AllocationOptions.Clean : AllocationOptions.None;
        long failures = _system.Source.Failures;
        PixelLease<byte> lease;
        try
        {
            if (!_allocator.TryLease(size, 1, out lease, options))
            {
                // Neither a piece nor an array fits, or others come first.
                Assert.True(_hasBudget && (_waiting.Count != 0 || !Fits(size)), "refused, although it fits");
                _refusals++;
                return;
            }
        }
        catch (OutOfMemoryException) when (_system.Source.Failures > failures)
        {
            return;
        }

        _rents++;
        _pieces.Add(Know(lease, size));
        if ((options & AllocationOptions.Clean) != 0)
        {
            _pieces[^1].AssertContent();
        }

        _pieces[^1].Fill(_cookie++);
    }

    private bool Fits(int size) => HeldByRents + _allocator.GetHeldBytes<byte>(size, 1) <= BudgetBlocks * Block;

    private Piece Know(PixelLease<byte> lease, int size)
    {
        nint address = lease.DangerousGetAddress();
        nint block = _system.Source.StartOf(address);
        var piece = new Piece(lease, address, block, lease.HeldBytes);
        if (block != 0)
        {
            Assert.Equal(PieceBytes(size), piece.HeldBytes);
            Assert.Equal(0, address % Line);
            Assert.True(address + piece.HeldBytes <= block + Block, "a piece goes over the end of its block");
            Piece? other = _pieces.Find(other => address < other.Address + other.HeldBytes && other.Address < address + piece.HeldBytes && other.Block != 0);
            Assert.True(other is null, "two pieces overlap");
        }

        return piece;
    }

    // 1, 2, 3, 4, 6, 8, 12, … times 64, a third of a block, half of it.
    private static long PieceBytes(int size)
    {
        const int Third = Block / 3 / Line * Line;
        long bytes = Line;
        while (bytes < size)
        {
            bytes = (bytes & (bytes - 1)) == 0 && bytes > Line ? bytes / 2 * 3 : bytes == Line ? 2 * Line : bytes / 3 * 4;
        }

        return bytes != Block / 8 * 3 ? bytes : size <= Third ? Third : Block / 2;
    }

    private void Return(int which)
    {
        if (_pieces.Count != 0)
        {
            int index = which % _pieces.Count;
            _returned = _pieces[index].Lease;
            _pieces.RemoveAt(index);
            _returned.Value.Dispose();
        }
    }

    // Nothing that is left on the stack of the caller may hold it, nor a lease that was returned: its guard may be that of this one now.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Forget(int index)
    {
        _returned = null;
        _leaks++;
        _leakedBytes += _pieces[index].HeldBytes;
        _pieces.RemoveAt(index);
    }
}
