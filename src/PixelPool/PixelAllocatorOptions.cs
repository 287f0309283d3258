using System.Buffers;
using PixelPool.Configuration;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>How a <see cref="PixelAllocator"/> behaves. Plain values: they are validated and copied when the allocator is created.</summary>
/// <remarks>
/// <para>
/// Some have another default where the operator of the process says so: in an environment variable, or, if there is none, in an <see cref="AppContext"/>
/// value (<c>configProperties</c> of <c>runtimeconfig.json</c>). What code assigns wins over both. They are read once per process. Sizes are decimal bytes
/// or have one of the letters K, M and G (of 1,024), such as <c>300M</c>; switches are 0, 1, true or false; durations are seconds or
/// <c>hours:minutes:seconds</c>.
/// </para>
/// <list type="table">
/// <listheader><term>environment variable</term><description>AppContext</description></listheader>
/// <item><term><c>PIXELPOOL_MAX_RENTED_BYTES</c></term><description><c>PixelPool.MaxRentedBytes</c></description></item>
/// <item><term><c>PIXELPOOL_MAX_POOLED_BYTES</c></term><description><c>PixelPool.MaxPooledBytes</c></description></item>
/// <item><term><c>PIXELPOOL_RENT_TIMEOUT</c></term><description><c>PixelPool.RentTimeout</c>; also <c>infinite</c></description></item>
/// <item><term><c>PIXELPOOL_LEAK_TRACKING</c></term><description><c>PixelPool.LeakTracking</c>: Off, Sampled or Full</description></item>
/// <item><term><c>PIXELPOOL_BLOCK_BYTES</c></term><description><c>PixelPool.BlockBytes</c></description></item>
/// <item><term><c>PIXELPOOL_USE_HUGE_PAGES</c></term><description><c>PixelPool.UseHugePages</c></description></item>
/// <item><term><c>PIXELPOOL_CLEAR_ON_RETURN</c></term><description><c>PixelPool.ClearOnReturn</c></description></item>
/// </list>
/// <para>What cannot be used is ignored, and said in <see cref="IgnoredSettings"/> and by the event source "PixelPool".</para>
/// </remarks>
public sealed partial class PixelAllocatorOptions
{
    /// <summary>The defaults, and what the operator of the process set instead.</summary>
    public PixelAllocatorOptions()
        : this(ProcessSettings.Current)
    {
    }

    internal PixelAllocatorOptions(ProcessSettings settings)
    {
        BlockBytes = settings.BlockBytes ?? BlockBytes;
        MaxPooledBytes = settings.MaxPooledBytes;
        MaxRentedBytes = settings.MaxRentedBytes;
        RentTimeout = settings.RentTimeout ?? RentTimeout;
        LeakTracking = settings.LeakTracking ?? LeakTracking;
        UseHugePages = settings.UseHugePages ?? UseHugePages;
        ClearOnReturn = settings.ClearOnReturn ?? ClearOnReturn;
    }

    /// <summary>Settings of the process that are not used: bad values, and environment variables that begin with <c>PIXELPOOL_</c> but are none of them.</summary>
    public static IReadOnlyList<IgnoredSetting> IgnoredSettings => ProcessSettings.Current.Ignored;

    /// <summary>
    /// Bytes of one pooled block: 4 MiB. A power of two from 64 KiB to 1 GiB. On Linux, blocks of at least 2 MiB can be backed by huge pages.
    /// </summary>
    public int BlockBytes { get; set; } = 4 << 20;

    /// <summary>
    /// Images and allocations of at most this many bytes come from the small tier: 1 MiB. 0 or more; what is larger than a block never does.
    /// </summary>
    public int SmallBufferThresholdBytes { get; set; } = 1 << 20;

    /// <summary>The largest request that arrays or slabs serve; −1: none.</summary>
    internal int SmallBytes => SmallBuffers == SmallBufferStrategy.None ? -1 : SmallBufferThresholdBytes;

    /// <summary>Where small images get their memory. With <see cref="RowAlignmentBytes"/> above 8 (4 in a 32-bit process), arrays cannot serve: slabs do then.</summary>
    public SmallBufferStrategy SmallBuffers { get; set; } = SmallBufferStrategy.ArrayPool;

    /// <summary>The pool of small buffers, for <see cref="SmallBufferStrategy.ArrayPool"/>: <see cref="ArrayPool{T}.Shared"/>.</summary>
    /// <remarks>
    /// A pool that gives null, or a shorter array than it was asked for, ends the request with an <see cref="InvalidMemoryOperationException"/>. What it throws
    /// leaves the call that rents, or that returns: then that array is lost, and nothing else.
    /// </remarks>
    public ArrayPool<byte> ArrayPool { get; set; } = ArrayPool<byte>.Shared;

    /// <summary>Bytes of the pieces that images over the pool's capacity get from the system: 32 MiB. At least 64 KiB.</summary>
    public int UnpooledBlockBytes { get; set; } = 32 << 20;

    /// <summary>
    /// The most bytes the pool of blocks holds, rented and idle together; rounded down to whole blocks, 0 for no pooling. Null: an eighth of
    /// the memory available to the process (<see cref="MemoryPressureSource.GetAvailableBytes"/>, which knows container limits), also when that changes;
    /// 128 MiB in a 32-bit process. Images over it still get memory, which goes back to the system at once.
    /// </summary>
    public long? MaxPooledBytes { get; set; }

    /// <summary>
    /// The budget: the most bytes rented, reserved and charged at once, over all tiers. Null: none. At least 1. Over it,
    /// <see cref="PixelAllocator.TryRent{TPixel}"/> says no, <see cref="PixelAllocator.Rent{TPixel}"/> throws, after it waited for <see cref="RentTimeout"/>, and <c>RentAsync</c> waits.
    /// </summary>
    public long? MaxRentedBytes { get; set; }

    /// <summary>
    /// How long <c>Rent</c>, <c>Lease</c>, <c>Allocate</c>, <c>ReserveScope</c> and <c>ChargeExternal</c> block their thread for budget before they throw.
    /// Default: zero, not at all. At most 24 days, or <see cref="Timeout.InfiniteTimeSpan"/>. <c>RentAsync</c> and <c>ReserveScopeAsync</c> wait until their
    /// token ends it.
    /// </summary>
    /// <remarks>
    /// The blocked thread counts the time itself, so it needs no free thread of the thread pool. With another <see cref="TimeProvider"/> than
    /// <see cref="TimeProvider.System"/>, the time is that clock's: the wait ends when a timer of that clock fires.
    /// </remarks>
    public TimeSpan RentTimeout { get; set; }

    /// <summary>When idle blocks go back to the system: <see cref="TrimPolicy.Demand"/>.</summary>
    public TrimPolicy TrimPolicy { get; set; } = TrimPolicy.Demand;

    /// <summary>
    /// The clock of the allocator. Default: <see cref="TimeProvider.System"/>. It governs when idle memory is trimmed, how long <see cref="RentTimeout"/>
    /// waits, how long waits for budget are reported to be, the age of rents in reports, and how often leaks are searched for and recorded.
    /// </summary>
    /// <remarks>
    /// A clock that stands still, such as that of a test, stops all of this until somebody advances it: a thread that waits with a <see cref="RentTimeout"/> is
    /// blocked until then. It does not govern the pause of at most 50 milliseconds after the system refused memory, which is real time. What the clock or a
    /// timer of it throws while memory is returned or trimmed is told by the event source "PixelPool" (<c>ApplicationFailed</c>) and disturbs nobody.
    /// </remarks>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>How much memory there is, and whether it is short: the container's or the machine's.</summary>
    public MemoryPressureSource MemoryPressure { get; set; } = MemoryPressureSource.System;

    /// <summary>
    /// Every row starts on a multiple of this many bytes: 1, which packs rows without gaps. A power of two up to 4,096.
    /// </summary>
    public int RowAlignmentBytes { get; set; } = 1;

    /// <summary>
    /// Rents every image as if <see cref="AllocationOptions.Contiguous"/> was asked for: for code that passes pointers on. Off, because images in any
    /// blocks never have to be assembled.
    /// </summary>
    public bool PreferContiguousImageBuffers { get; set; }

    /// <summary>Asks the system for huge pages, where it has them (Linux): touching fresh memory costs a twentieth then.</summary>
    public bool UseHugePages { get; set; } = true;

    /// <summary>Clears memory when it is returned, so that no pixel ever outlives its image. Costs one pass over the memory per rent.</summary>
    public bool ClearOnReturn { get; set; }

    /// <summary>Which rents remember where they were made, so that a leak can name its culprit: <see cref="LeakTracking.Sampled"/>.</summary>
    public LeakTracking LeakTracking { get; set; } = LeakTracking.Sampled;

    /// <summary>A name for reports and metrics, or null.</summary>
    public string? Name { get; set; }

#if NET
    /// <summary>
    /// Makes the meter "PixelPool" of this allocator, so that a container or a test has one of its own. Null: the allocator is measured by the meter of the
    /// process.
    /// </summary>
    public System.Diagnostics.Metrics.IMeterFactory? MeterFactory { get; set; }
#endif

    /// <summary>Whether collections of generation 2 trigger trimming. Off in tests that a collection at a bad moment would disturb.</summary>
    internal bool ListensToCollections { get; set; } = true;

    /// <summary>Waits for memory that somebody returns, after the system refused some; replaceable in tests.</summary>
    internal Action<TimeSpan> Pause { get; set; } = ReturnSignal.Wait;

    /// <summary>The operating system, replaceable in tests.</summary>
    internal BlockSource? BlockSource { get; set; }
}
