using System.Runtime.CompilerServices;

namespace PixelPool.Tests.Infrastructure;

/// <summary>The managed heap of a child process, filled but for a few bytes: so a test chooses which allocation fails.</summary>
internal sealed class FullHeap
{
    /// <summary>The smallest object that can be left out.</summary>
    public const int LeastBytes = 24;

    // Small objects: the collector puts them side by side.
    private const int ChunkBytes = 64 << 10;
    private const int FreeChunks = 32;

    // What is left beside what was asked for, in objects of the smallest size: holes between chunks, and what the exceptions took at their ends. Measured: 5 to 9.
    private const int LeftOver = 7;

    // Down to here it is filled by counting, because each allocation that fails costs two collections; below, until it fails.
    private const int FineBytes = 64;

    private readonly byte[]?[] _filler = new byte[1 << 16][];
    private readonly int _always;
    private int _count;
    private byte[]? _rest;

    // Bytes of small objects that it held the last time.
    private long _capacity;

    /// <summary>Fills it but for what tests need to prepare something.</summary>
    public FullHeap()
    {
        // The thread of finalizers allocates with the first one that it runs. It may be late, and without memory the runtime ends the process.
        Forget();
        Collect();
        GC.WaitForPendingFinalizers();
        while (TryAdd(ChunkBytes))
        {
        }

        _always = Math.Max(0, _count - FreeChunks);
        int freed = (_count - _always) * ChunkBytes;
        Release();
        Collect();
        _capacity = GetSmallBytes() + freed;
    }

    /// <summary>The environment of a process whose heap can be filled: a limit, and the collector of segments, which fills its memory to the last bytes.</summary>
    public static string[] Environment { get; } =
    [
        $"DOTNET_GCName={(OperatingSystem.IsWindows() ? "clrgc.dll" : OperatingSystem.IsMacOS() ? "libclrgc.dylib" : "libclrgc.so")}",
        "DOTNET_GCHeapHardLimit=0x1800000",
        "DOTNET_gcConcurrent=0",
        "DOTNET_TieredCompilation=0",

        // One thread in the pool, which stays: a new one needs memory, and ends the process without.
        "DOTNET_ThreadPool_ForceMinWorkerThreads=1",
        "DOTNET_ThreadPool_ForceMaxWorkerThreads=1",
        "DOTNET_ThreadPool_ThreadsToKeepAlive=1",
        ChildProcess.WithoutTrimmedArrays,
    ];

    /// <summary>Fills it but for so many bytes, more or less. What the same thread allocates next comes from them.</summary>
    /// <param name="bytes">At least <see cref="LeastBytes"/>.</param>
    public void FillBut(int bytes)
    {
        Release();
        _rest = new byte[bytes - LeastBytes];
        Collect();
        long room = _capacity - GetSmallBytes();
        for (int chunk = ChunkBytes; chunk >= LeastBytes; chunk /= 2)
        {
            while ((room >= chunk || chunk <= FineBytes) && TryAdd(chunk))
            {
                room -= chunk;
            }
        }

        _capacity -= room;
        _rest = null;
        Collect();
        for (int i = 0; i < LeftOver && TryAdd(LeastBytes); i++)
        {
        }
    }

    /// <summary>Fills all of it: the same thread can allocate nothing.</summary>
    public void Fill()
    {
        FillBut(LeastBytes);
        while (TryAdd(LeastBytes))
        {
        }
    }

    /// <summary>Makes room for whatever a test does in between.</summary>
    public void Release()
    {
        Array.Clear(_filler, _always, _count - _always);
        _count = _always;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget() => _ = new Finalized();

    private static void Collect() => GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);

    private static long GetSmallBytes()
    {
        long bytes = 0;
        foreach (GCGenerationInfo generation in GC.GetGCMemoryInfo(GCKind.FullBlocking).GenerationInfo[..3])
        {
            bytes += generation.SizeAfterBytes;
        }

        return bytes;
    }

    private bool TryAdd(int bytes)
    {
        try
        {
            _filler[_count] = new byte[bytes - LeastBytes];
            _count++;
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }

    private sealed class Finalized
    {
        ~Finalized()
        {
            // It only has to be called.
        }
    }
}
