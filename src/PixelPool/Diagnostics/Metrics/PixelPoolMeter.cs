using System.Diagnostics.Metrics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using PixelPool.Threading;

namespace PixelPool.Diagnostics.Metrics;

/// <summary>
/// The allocators that one meter "PixelPool" measures: those of the process, or those of a factory. They are held weakly, and asked for their statistics when
/// somebody collects: nothing is paid per rent.
/// </summary>
/// <remarks>
/// Invariants. Allocators of one name are one measurement. A name that was measured once is measured forever: what its allocators counted, from when a meter was first made, stays in its
/// counters when they end, so none ever falls, and what they held becomes 0. An allocator ends when nothing can change its statistics any more, which is
/// long after <see cref="IDisposable.Dispose"/> when its buffers live longer (<see cref="MeteredAllocator"/>).
/// </remarks>
internal sealed class PixelPoolMeter : IThreadPoolWorkItem
{
    public const string Name = "PixelPool";

    private readonly UninterruptibleLock _gate = new();

    // Also those whose finalizers are due or done: until an allocator ends it is measured.
    private readonly WeakSet<MeteredAllocator> _living = new(tracksResurrection: true);

    // Of each name what is left of those that are gone, in the order of Figure.All.
    private readonly Dictionary<string, long?[]> _ended = new(StringComparer.Ordinal);
    private int _hasInstruments;
    private bool _hearsOfAssemblies;
    private volatile PixelPoolInstruments? _instruments;

    /// <summary>What measures allocators without a factory of their own.</summary>
    private static PixelPoolMeter OfProcess { get; } = new();

    private static string? Version => typeof(PixelPoolMeter).Assembly.GetName().Version?.ToString(3);

    /// <summary>What measures an allocator with this <see cref="IMeterFactory"/>.</summary>
    public static PixelPoolMeter Of(object? factory)
    {
        if (factory is not null)
        {
            return OfFactories.Of(factory);
        }

        // Not by the initializer of the type: whoever listens to instruments is called for them, may rent or throw, and what left an initializer would be thrown again at every use of the type.
        // What fails for want of memory, or by an interrupt, is tried again by the next allocator.
        if (Volatile.Read(ref OfProcess._hasInstruments) == 0)
        {
            OfProcess.Prepare();
        }

        return OfProcess;
    }

    /// <summary>Makes the meter of the process, which can be listened to from now on.</summary>
    public void Execute()
    {
        try
        {
            CreateMeter();
        }
        catch (Exception e) when (e is OutOfMemoryException or TypeInitializationException or ThreadInterruptedException)
        {
            // Nobody is told on this thread. It must not end the process.
        }
    }

    public void Add(MeteredAllocator allocator)
    {
        using (_gate.Hold())
        {
            // The name first: it is there when the allocator ends. Without an allocator it measures nothing.
            _ended.TryAdd(allocator.Name, new long?[Figure.Count]);
            _living.Add(allocator);
        }
    }

    /// <summary>A wait for budget ended.</summary>
    public void RecordWait(string allocator, TimeSpan waited, string outcome) => _instruments?.RecordWait(allocator, waited, outcome);

    /// <summary>Nothing can change the allocator's statistics any more. A finalizer comes here: nothing is allocated.</summary>
    public void End(MeteredAllocator allocator)
    {
        PixelPoolStatistics final = allocator.GetStatistics();
        using (_gate.Hold())
        {
            _living.Remove(allocator);
            // Before anything measures, nobody can compare with what was counted.
            if (Figure.Made is { } figures && _ended.TryGetValue(allocator.Name, out long?[]? ended))
            {
                for (int i = 0; i < ended.Length; i++)
                {
                    ended[i] = figures[i].Plus(ended[i], figures[i].AfterTheEnd(in final));
                }
            }
        }
    }

    /// <summary>What the allocators of each name have of a figure together, now.</summary>
    private Dictionary<string, long?> Collect(Figure figure)
    {
        Dictionary<string, long?> sums;
        List<MeteredAllocator> living;
        int place = Array.IndexOf(Figure.All, figure);
        using (_gate.Hold())
        {
            // In one moment, so that one that ends meanwhile is in exactly one of the two.
            sums = _ended.ToDictionary(static ended => ended.Key, ended => ended.Value[place], StringComparer.Ordinal);
            living = _living.ToList();
        }

        foreach (MeteredAllocator allocator in living)
        {
            sums[allocator.Name] = figure.Plus(sums[allocator.Name], figure.Value(allocator.GetStatistics()));
        }

        return sums;
    }

    /// <summary>
    /// A meter and its instruments take as long as all else that a program needs to rent its first image. Before the assembly that has them is loaded nobody can listen, so until then they are not made.
    /// Plug-ins and programs that are compiled ahead of time are not told of what is loaded, and .NET 8 lets tools listen only where some meter was made.
    /// </summary>
    private void Prepare()
    {
        if (!typeof(PixelPoolMeter).Assembly.IsCollectible && RuntimeFeature.IsDynamicCodeSupported && Environment.Version.Major >= 9)
        {
            if (!_hearsOfAssemblies)
            {
                // Threads that come together may hear of each twice.
                AppDomain.CurrentDomain.AssemblyLoad += OnLoad;
                _hearsOfAssemblies = true;
            }

            if (!Array.Exists(AppDomain.CurrentDomain.GetAssemblies(), HasMeters))
            {
                return;
            }
        }

        CreateMeter();

        // On another thread: who loads an assembly holds a lock of the runtime.
        void OnLoad(object? sender, AssemblyLoadEventArgs loaded)
        {
            if (HasMeters(loaded.LoadedAssembly))
            {
                ThreadPoolQueue.TryEnqueue(this);
            }
        }
    }

    private static bool HasMeters(Assembly assembly) => assembly.FullName!.StartsWith("System.Diagnostics.DiagnosticSource,", StringComparison.Ordinal);

    // The base library holds a meter until it is disposed. A plug-in that brings a PixelPool of its own would never be unloaded.
    private void CreateMeter()
    {
        // First: one that cannot be made is made by the next allocator. Its instruments are not: those that were made would measure twice.
        var meter = new Meter(Name, Version);
        if (Interlocked.Exchange(ref _hasInstruments, 1) != 0)
        {
            meter.Dispose();
            return;
        }

        if (AssemblyLoadContext.GetLoadContext(typeof(PixelPoolMeter).Assembly) is { IsCollectible: true } plugIn)
        {
            plugIn.Unloading += _ => meter.Dispose();
        }

        _instruments = new PixelPoolInstruments(Collect, meter);
    }

    // A class of its own, because it names a meter.
    private static class OfFactories
    {
        // A factory may give the same meter to every allocator that asks for one: its instruments are made once.
        private static readonly ConditionalWeakTable<Meter, PixelPoolMeter> s_meters = [];

        public static PixelPoolMeter Of(object factory)
        {
            Meter meter = ((IMeterFactory)factory).Create(new MeterOptions(Name) { Version = Version });
            PixelPoolMeter measured = s_meters.GetValue(meter, static _ => new PixelPoolMeter());
            if (Interlocked.Exchange(ref measured._hasInstruments, 1) == 0)
            {
                // Not again where it fails: the meter is the factory's, and those that were made would measure twice.
                measured._instruments = new PixelPoolInstruments(measured.Collect, meter);
            }

            return measured;
        }
    }
}
