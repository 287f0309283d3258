namespace PixelPool.Tests.Infrastructure;

/// <summary>The managed heap of a child process, filled but for a few bytes: so a test chooses which allocation fails.</summary>
internal sealed class FullHeap
{
    /// <summary>The smallest object that can be left out.</summary>
    public const int LeastBytes = 24;

    // Small objects: the collector puts them side by side.
    private const int ChunkBytes = 64 << 10;
    private const int FreeChunks = 32;

    // Few sizes: each ends with collections that find nothing.
    private const int SmallChunkBytes = 1 << 10;

    private readonly byte[]?[] _filler = new byte[1 << 16][];
    private readonly int _always;
    private int _count;
    private byte[]? _rest;

    /// <summary>Fills it but for what tests need to prepare something.</summary>
    public FullHeap()
    {
        AddAll(ChunkBytes);
        _always = Math.Max(0, _count - FreeChunks);
        Release();
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
    ];

    /// <summary>Fills it but for so many bytes, more or less. What the same thread allocates next comes from them.</summary>
    /// <param name="bytes">At least <see cref="LeastBytes"/>.</param>
    public void FillBut(int bytes)
    {
        Release();
        Compact();
        GC.WaitForPendingFinalizers();
        _rest = new byte[bytes - LeastBytes];
        AddAll(ChunkBytes);
        AddAll(SmallChunkBytes);
        AddAll(LeastBytes);

        // What was left between them, and what the exceptions at their ends took.
        for (int i = 0; i < 2; i++)
        {
            Compact();
            AddAll(LeastBytes);
        }

        _rest = null;
        Compact();
    }

    /// <summary>Fills all of it: the same thread can allocate nothing.</summary>
    public void Fill()
    {
        FillBut(LeastBytes);
        AddAll(LeastBytes);
    }

    /// <summary>Makes room for whatever a test does in between.</summary>
    public void Release()
    {
        Array.Clear(_filler, _always, _count - _always);
        _count = _always;
    }

    private static void Compact() => GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);

    private void AddAll(int objectBytes)
    {
        while (TryAdd(objectBytes))
        {
        }
    }

    private bool TryAdd(int objectBytes)
    {
        try
        {
            _filler[_count] = new byte[objectBytes - LeastBytes];
            _count++;
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }
}
