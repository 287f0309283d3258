using System.Buffers;
using PixelPool.Native;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>How a <see cref="PixelAllocator"/> behaves. Plain values: they are validated and copied when the allocator is created. Not thread-safe.</summary>
/// <remarks>
/// <para>
/// The operator of the process can change some defaults: with an environment variable, or, if there is none, with an <see cref="AppContext"/> value
/// (<c>configProperties</c> of <c>runtimeconfig.json</c>). A value that code assigns overrides both. They are read once per process. Sizes are in bytes, or end
/// in K, M or G (of 1,024), such as <c>300M</c>. Switches are 0, 1, true or false. Durations are in seconds, or <c>hours:minutes:seconds</c>. Values are
/// not case-sensitive.
/// </para>
/// <list type="table">
/// <listheader><term>environment variable</term><description>AppContext</description></listheader>
/// <item><term><c>PIXELPOOL_MAX_RENTED_BYTES</c></term><description><c>PixelPool.MaxRentedBytes</c></description></item>
/// <item><term><c>PIXELPOOL_MAX_POOLED_BYTES</c></term><description><c>PixelPool.MaxPooledBytes</c></description></item>
/// <item><term><c>PIXELPOOL_RENT_TIMEOUT</c></term><description><c>PixelPool.RentTimeout</c>; also <c>infinite</c></description></item>
/// <item><term><c>PIXELPOOL_ASYNC_RENT_TIMEOUT</c></term><description><c>PixelPool.AsyncRentTimeout</c>; also <c>infinite</c></description></item>
/// <item><term><c>PIXELPOOL_LONG_WAIT_THRESHOLD</c></term><description><c>PixelPool.LongWaitThreshold</c>; also <c>infinite</c></description></item>
/// <item>
/// <term><c>PIXELPOOL_TRIM_POLICY</c></term>
/// <description><c>PixelPool.TrimPolicy</c>: Demand, None, or Halving with its period and rate, such as <c>Halving(60, 0.5)</c></description>
/// </item>
/// <item><term><c>PIXELPOOL_SMALL_BUFFERS</c></term><description><c>PixelPool.SmallBuffers</c>: ArrayPool, Slab or None</description></item>
/// <item><term><c>PIXELPOOL_LEAK_TRACKING</c></term><description><c>PixelPool.LeakTracking</c>: Off, Sampled or Full</description></item>
/// <item><term><c>PIXELPOOL_BLOCK_BYTES</c></term><description><c>PixelPool.BlockBytes</c></description></item>
/// <item><term><c>PIXELPOOL_USE_HUGE_PAGES</c></term><description><c>PixelPool.UseHugePages</c></description></item>
/// <item><term><c>PIXELPOOL_GUARDED_RENT_SAMPLING</c></term><description><c>PixelPool.GuardedRentSampling</c></description></item>
/// <item><term><c>PIXELPOOL_CLEAR_ON_RETURN</c></term><description><c>PixelPool.ClearOnReturn</c></description></item>
/// </list>
/// <para>A value that cannot be used is ignored. <see cref="IgnoredSettings"/> and the event source "PixelPool" report it.</para>
/// <para>
/// <see cref="TrySet"/> sets any option from such text. <c>AddPixelPool(section)</c>, of the package PixelPool.Extensions.DependencyInjection, does so with a
/// section of configuration.
/// </para>
/// </remarks>
public sealed partial class PixelAllocatorOptions
{
    /// <summary>
    /// Size of one pooled block in bytes: a power of two from 64 KiB to 1 GiB. Default: 4 MiB. On Linux, blocks of at least 2 MiB can be backed by huge pages.
    /// </summary>
    public int BlockBytes { get; set; } = 4 << 20;

    private int? _smallBufferThresholdBytes;

    /// <summary>
    /// Images and allocations of at most this many bytes come from the small tier. 0 or more. Default: with arrays 1 MiB, with slabs half of
    /// <see cref="BlockBytes"/> (see <see cref="SmallBuffers"/>). A request larger than half a block never comes from a slab, and one
    /// larger than a block never from the small tier.
    /// </summary>
    public int SmallBufferThresholdBytes
    {
        get => _smallBufferThresholdBytes ?? (UsesSlabs(IntPtr.Size) ? Math.Max(0, BlockBytes / 2) : 1 << 20);
        set => _smallBufferThresholdBytes = value;
    }

    /// <summary>The largest request that arrays or slabs serve; −1: none.</summary>
    internal int SmallBytes => SmallBuffers == SmallBufferStrategy.None ? -1 : Math.Min(SmallBufferThresholdBytes, BlockBytes);

    /// <summary>Whether slabs serve small images.</summary>
    /// <remarks>Rows of an array cannot be aligned: the collector moves it. Its first byte lies on a multiple of a pointer's size.</remarks>
    internal bool UsesSlabs(int pointerBytes) =>
        SmallBuffers == SmallBufferStrategy.Slab || (SmallBuffers == SmallBufferStrategy.ArrayPool && RowAlignmentBytes > pointerBytes);

    /// <summary>
    /// Where small images get their memory. Default: <see cref="SmallBufferStrategy.ArrayPool"/>. With a <see cref="RowAlignmentBytes"/> above 8 (4 in a 32-bit
    /// process), slabs are used instead of arrays, because arrays cannot be aligned.
    /// </summary>
    public SmallBufferStrategy SmallBuffers { get; set; } = SmallBufferStrategy.ArrayPool;

    /// <summary>The pool that small images come from with <see cref="SmallBufferStrategy.ArrayPool"/>. Default: <see cref="ArrayPool{T}.Shared"/>.</summary>
    /// <remarks>
    /// If the pool returns null, or a shorter array than it was asked for, the request throws an <see cref="InvalidMemoryOperationException"/>. If the pool
    /// throws, the call that rents or returns throws the same exception. Then that array is lost, and nothing else.
    /// </remarks>
    public ArrayPool<byte> ArrayPool { get; set; } = ArrayPool<byte>.Shared;

    /// <summary>The largest piece of memory, in bytes, that an image gets directly from the system when the pool is full. Contiguous memory is always one piece. At least 64 KiB. Default: 32 MiB.</summary>
    public int UnpooledBlockBytes { get; set; } = 32 << 20;

    /// <summary>
    /// The most bytes that the pool of blocks holds, rented and idle together. It is rounded down to whole blocks; 0 turns pooling off. Default: null, which is
    /// an eighth of the memory available to the process (<see cref="MemoryPressureSource.GetAvailableBytes"/>, which knows container limits); at most 1 TiB.
    /// In a 32-bit process, and where the memory is not known, it is 128 MiB. It follows that memory when it changes, except with <see cref="TrimPolicy.None"/>. If an eighth is less than 16 MiB, the default is
    /// 16 MiB, but no more than a quarter of the memory, and at least one block. Images that exceed the limit still get memory. This memory is released to the system when the images are returned.
    /// </summary>
    public long? MaxPooledBytes { get; set; }

    /// <summary>
    /// The budget: the most bytes rented, reserved and charged at once, over all tiers. At least 1. Default: null, no budget. When the budget has no room,
    /// <see cref="PixelAllocator.TryRent{TPixel}"/> returns false, <see cref="PixelAllocator.Rent{TPixel}"/> waits for <see cref="RentTimeout"/> and then
    /// throws, and <c>RentAsync</c> waits.
    /// </summary>
    public long? MaxRentedBytes { get; set; }

    /// <summary>
    /// How long requests that block their thread wait for budget before they throw: <c>Rent</c>, <c>Lease</c>, <c>Allocate</c>, <c>RentPlanar</c>, <c>LeasePlanar</c>,
    /// <c>Wrap</c> with a charge, <c>ReserveScope</c>, <c>ChargeExternal</c>, and what makes a <see cref="PixelPoolStream"/> larger. At most 24 days, or
    /// <see cref="Timeout.InfiniteTimeSpan"/>. Default: zero, which does not wait. For asynchronous requests there is <see cref="AsyncRentTimeout"/>.
    /// </summary>
    /// <remarks>
    /// The blocked thread measures the time itself, so it needs no free thread of the thread pool. With a <see cref="TimeProvider"/> other than
    /// <see cref="TimeProvider.System"/>, the wait ends when a timer of that clock fires.
    /// </remarks>
    public TimeSpan RentTimeout { get; set; }

    /// <summary>
    /// How long asynchronous requests wait for budget before they throw: <c>RentAsync</c>, <c>LeaseAsync</c>, <c>AllocateAsync</c>, <c>RentPlanarAsync</c>,
    /// <c>LeasePlanarAsync</c>, <c>ReserveScopeAsync</c>, and <see cref="PixelPoolStream.WriteAsync(byte[], int, int, CancellationToken)"/>. At most 24 days, or
    /// <see cref="Timeout.InfiniteTimeSpan"/>. Default: null, which waits until the token is cancelled.
    /// </summary>
    public TimeSpan? AsyncRentTimeout { get; set; }

    /// <summary>
    /// A request that waits longer for budget is reported once, and once more if it becomes part of a deadlock after that: by <see cref="PixelAllocator.LongWait"/>
    /// and by the event source "PixelPool" (<c>WaitsLong</c>). <see cref="PixelPoolStatistics.LongWaits"/> counts it once. At least zero, or
    /// <see cref="Timeout.InfiniteTimeSpan"/>, which reports none. It is checked once a second. Default: 5 seconds.
    /// </summary>
    public TimeSpan LongWaitThreshold { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>When idle blocks go back to the system. Default: <see cref="TrimPolicy.Demand"/>.</summary>
    public TrimPolicy TrimPolicy { get; set; } = TrimPolicy.Demand;

    /// <summary>
    /// The clock of the allocator. Default: <see cref="TimeProvider.System"/>. It controls trimming, <see cref="RentTimeout"/>,
    /// <see cref="AsyncRentTimeout"/>, the ages and waiting times in reports, and how often leaks are searched for and recorded.
    /// </summary>
    /// <remarks>
    /// A clock that stands still, such as that of a test, stops all of this until somebody advances it: a thread that waits with a <see cref="RentTimeout"/> is
    /// blocked until then. It does not govern the pauses after the system refused memory: at most three of 50 milliseconds each, in real time. If the clock or its
    /// timer throws while memory is rented, returned or trimmed, the event source "PixelPool" reports it (<c>ApplicationFailed</c>), and no caller sees it.
    /// One exception: a request that begins to wait with a time limit throws what <see cref="TimeProvider.CreateTimer"/> throws. It keeps nothing.
    /// </remarks>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;

    /// <summary>
    /// Tells how much memory there is, and whether it is short. Default: <see cref="MemoryPressureSource.System"/>, which knows the container and the machine.
    /// </summary>
    public MemoryPressureSource MemoryPressure { get; set; } = MemoryPressureSource.System;

    /// <summary>Every row starts on a multiple of this many bytes. A power of two from 1 to 4,096. Default: 1, which packs rows without gaps.</summary>
    /// <remarks>
    /// Memory starts at least on a multiple of 4,096 bytes if it is blocks or unpooled, of 64 bytes in a slab, and of a pointer's size in an array. Guarded rents
    /// (<see cref="GuardedRentSampling"/>) have this alignment for images only, and no other.
    /// </remarks>
    public int RowAlignmentBytes { get; set; } = 1;

    /// <summary>
    /// Rents every image as if <see cref="AllocationOptions.Contiguous"/> was passed, for code that passes pointers on. So are the blocks that a <see cref="PixelPoolStream"/> needs at once.
    /// Default: false, which moves blocks together only for images that ask for it.
    /// </summary>
    public bool PreferContiguousImageBuffers { get; set; }

    /// <summary>
    /// Asks the system for huge pages, where it has them (Linux) and they are fast. Touching fresh memory then takes a fraction of the time. Default: true. If false, fresh memory of 2 MiB
    /// and more asks for small pages.
    /// </summary>
    /// <remarks>
    /// Some hosts of virtual machines take free memory back after seconds, in pieces as large as huge pages. The first write to such a huge page can take as long as to its small pages, or
    /// several times as long. Therefore, some rents of fresh memory touch huge pages in advance, and measure the processor time. While huge pages are slow, new blocks of the process ask for
    /// small pages, and one huge page is tried again every second.
    /// </remarks>
    public bool UseHugePages { get; set; } = true;

    /// <summary>Clears memory when it is returned, so that no pixel outlives its image. It costs one pass over the memory per rent. Default: false.</summary>
    /// <remarks>
    /// It does not clear copies that other code makes. A stream may copy through arrays of <see cref="ArrayPool{T}.Shared"/>: streams that override only the members with arrays do. With the
    /// library for .NET Standard, <c>CopyTo</c> and <c>CopyToAsync</c> of the streams of this library do, too. <c>WriteTo</c> and <c>WriteToAsync</c> leave no copy.
    /// </remarks>
    public bool ClearOnReturn { get; set; }

    /// <summary>
    /// Which rents remember where they were made, so that a leak can be reported with its source line. Default: <see cref="LeakTracking.Sampled"/>.
    /// </summary>
    public LeakTracking LeakTracking { get; set; } = LeakTracking.Sampled;

    /// <summary>
    /// N: about one rent in N, chosen at random, is guarded. A guarded rent ends directly before a guard page, which cannot be accessed. After its return, its own memory cannot be accessed either. Code that reads or
    /// writes past the end of an image, or after its return, ends the process at that instruction. 0 or more. Default: 0, which guards no rent. Use 1 in tests, and 1,000 to 10,000 in a service.
    /// </summary>
    /// <remarks>
    /// <para>
    /// The instruction fails with an <see cref="AccessViolationException"/>, or a segmentation fault in native code, that nothing can catch. What was written in front of an image, less than a
    /// page before it, is found when the image is returned. The call that returns it throws an <see cref="InvalidMemoryOperationException"/> that names the lines which rented and returned.
    /// </para>
    /// <para>
    /// A guarded rent is in one piece, reads as zero, and counts as unpooled. It does not have the readable margin of 64 bytes. The last 64 guarded rents that were returned keep their addresses (up to 256 MiB), but
    /// no memory. At most 4,096 guarded rents exist at once in a process. On systems other than Linux (64 bits) and Windows, and in the .NET Standard build on Windows, no rent is guarded.
    /// </para>
    /// </remarks>
    public int GuardedRentSampling { get; set; }

    /// <summary>A name for reports and metrics, with at least one character that is not white space. Default: null, no name.</summary>
    public string? Name { get; set; }

#if NET
    /// <summary>
    /// Creates the meter "PixelPool" of this allocator, so that a service provider or a test has its own. Default: null, which uses the meter of the process.
    /// </summary>
    /// <remarks>The meters of a factory hold what they measure until the factory is disposed. A plug-in that brings its own copy of PixelPool needs a factory of its own: with the factory of its host it is not unloaded.</remarks>
    public System.Diagnostics.Metrics.IMeterFactory? MeterFactory
    {
        get => (System.Diagnostics.Metrics.IMeterFactory?)AnyMeterFactory;
        set => AnyMeterFactory = value;
    }

    /// <summary>The same without its type: to name that loads the assembly that it is in.</summary>
    internal object? AnyMeterFactory { get; private set; }
#endif

    /// <summary>Whether collections of generation 2 trigger trimming. Off in tests that a collection at a bad moment would disturb.</summary>
    internal bool ListensToCollections { get; set; } = true;

    /// <summary>Waits while others may return memory, after the system refused some; replaceable in tests.</summary>
#pragma warning disable RS0030 // Of the machine's time: on the application's clock nobody may be there to end it.
    internal Action<TimeSpan> Pause { get; set; } = Thread.Sleep;
#pragma warning restore RS0030

    /// <summary>The operating system, replaceable in tests.</summary>
    internal BlockSource? BlockSource { get; set; }
}
