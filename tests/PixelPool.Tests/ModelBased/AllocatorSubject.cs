using System.Buffers;
using PixelPool.Native;
using PixelPool.Tests.Infrastructure;
using PixelPool.Tests.Native.Linux;

namespace PixelPool.Tests.ModelBased;

/// <summary>An allocator, beside lists of the memory, the handles and the scopes that there are.</summary>
internal sealed partial class AllocatorSubject : Subject<AllocatorAct>
{
    /// <summary>The largest rent: some blocks.</summary>
    public const int MostBytes = 6 * Block;

    private const int Block = TestSystem.BlockBytes;
    private const int CapacityBlocks = 16;
    private const long BudgetBytes = 10L * Block;
    private const int DivisibleBytes = 8 << 20;
    private const int GuardedSampling = 3;

    private readonly AllocatorVariant _variant;
    private readonly TestSystem _system;
    private readonly CountedArrayPool _arrays = new();
    private readonly FailingKernel? _kernel;
    private readonly LinuxBlockSource? _linux;
    private readonly PixelAllocator _allocator;
    private readonly int _alignment;
    private readonly int _smallBytes;

    private readonly List<RentedMemory> _memories = [];
    private readonly List<Handle> _handles = [];
    private readonly List<Handle> _ended = [];
    private readonly List<KnownScope> _scopes = [];
    private byte _cookie;
    private long _rents;
    private long _refusals;
    private long _leaks;
    private long _leakedBytes;
    private long _secondReturns;

    public AllocatorSubject(AllocatorVariant variant)
    {
        _variant = variant;
        _system = variant == AllocatorVariant.Divisible ? new TestSystem(new FakeBlockSource(divisible: true, divisibleBytes: DivisibleBytes)) : new TestSystem();
        if (variant is AllocatorVariant.Kernel or AllocatorVariant.Guarded)
        {
            _kernel = new FailingKernel();
            _linux = new LinuxBlockSource(_kernel);
        }

        PixelAllocatorOptions set = _system.Options(CapacityBlocks, Set);
        _alignment = set.RowAlignmentBytes;
        _smallBytes = set.SmallBufferThresholdBytes;
        _allocator = PixelAllocator.Create(set);
    }

    private bool HasBudget => _variant is AllocatorVariant.Budget or AllocatorVariant.SlabBudget or AllocatorVariant.Divisible or AllocatorVariant.Guarded;

    private bool HasSlabs => _variant is AllocatorVariant.Slabs or AllocatorVariant.SlabBudget;

    private IEnumerable<RentedMemory> Pieces => _memories.Where(static memory => memory.Block != 0);

    private long BytesOfCutBlocks => Pieces.Select(static memory => memory.Block).Distinct().Count() * (long)Block;

    private long RentedBytes => _memories.Where(static memory => !memory.IsExternal).Sum(static memory => memory.HeldBytes);

    // Of blocks that are cut nobody can give back what is not rented.
    private long LeastIdleBytes => BytesOfCutBlocks - Pieces.Sum(static memory => memory.HeldBytes);

    public override void Check()
    {
        foreach (Handle handle in _handles)
        {
            handle.AssertContent();
        }

        PixelPoolStatistics statistics = _allocator.GetStatistics();
        StatisticsAssert.Balanced(statistics);
        Assert.Equal(RentedBytes, statistics.RentedBytes);
        Assert.Equal(_memories.Where(static memory => memory.IsExternal).Sum(static memory => memory.HeldBytes), statistics.ExternalBytes);
        if (_kernel is null && _variant != AllocatorVariant.KeptArrays)
        {
            Assert.Equal(_system.Source.LiveBytes + _arrays.RentedBytes, statistics.RentedBytes + statistics.IdleBytes);
        }

        Assert.Equal((_rents, _refusals, 0), (statistics.Rents, statistics.BudgetRefusals, statistics.WaitingRents));
        Assert.Equal((_leaks, _leakedBytes, _secondReturns), (statistics.LeakedCount, statistics.LeakedBytes, statistics.SecondReturns));
        CheckBudgets(statistics);
    }

    public override void End()
    {
        Heal();
        Return(_handles.FindAll(static handle => handle.Scope is null));
        foreach (KnownScope scope in _scopes.FindAll(static scope => scope.Outer is null && !scope.IsClosed))
        {
            Close(scope);
        }

        Check();
        Assert.Equal((0L, 0L), (_allocator.GetStatistics().RentedBytes, _allocator.GetStatistics().ChargedBytes));
        Assert.Empty(_allocator.GetOutstandingRents());
        _allocator.Trim();
        Assert.Equal(0, _allocator.GetStatistics().IdleBytes);
        _allocator.Dispose();
        Assert.Equal(0, _arrays.RentedCount);
        _system.Source.AssertAllFreed();
        if (_kernel is not null)
        {
            AssertUnmapped(_kernel);
        }
    }

    public override void Dispose()
    {
        _handles.ForEach(static handle => handle.Dispose());
        _scopes.ForEach(static scope => scope.Scope.Dispose());
        _allocator.Dispose();
    }

    private void Set(PixelAllocatorOptions options)
    {
        options.SmallBuffers = HasSlabs ? SmallBufferStrategy.Slab : SmallBufferStrategy.ArrayPool;
        options.SmallBufferThresholdBytes = HasSlabs ? Block / 2 : TestSystem.SmallBytes;
        options.ArrayPool = _variant == AllocatorVariant.KeptArrays ? ArrayPool<byte>.Shared : _arrays;
        options.RowAlignmentBytes = _variant switch { AllocatorVariant.Slabs => 128, AllocatorVariant.KeptArrays => IntPtr.Size, _ => 1 };
        options.MaxRentedBytes = HasBudget ? BudgetBytes : null;
        options.ClearOnReturn = _variant == AllocatorVariant.SlabBudget;
        options.TrimPolicy = _variant == AllocatorVariant.Arrays ? TrimPolicy.Halving(TimeSpan.FromSeconds(10), 0.5) : TrimPolicy.Demand;
        options.LeakTracking = _variant == AllocatorVariant.Budget ? LeakTracking.Full : LeakTracking.Off;
        options.GuardedRentSampling = _variant == AllocatorVariant.Guarded ? GuardedSampling : 0;
        options.BlockSource = _linux ?? options.BlockSource;
    }

    // What the kernel refused to unmap goes with what goes later.
    private void AssertUnmapped(FailingKernel kernel)
    {
        using (PixelAllocator last = PixelAllocator.Create(_system.Options(configure: options => options.BlockSource = _linux)))
        {
            last.Rent<byte>(Block, 1).Dispose();
        }

        Assert.Equal((0L, true), kernel.Mapped);
    }
}
