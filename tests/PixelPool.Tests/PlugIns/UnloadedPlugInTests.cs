using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.PlugIns;

/// <summary>A plug-in that is unloaded goes, whatever it did with PixelPool: neither its types nor its methods nor its objects stay behind.</summary>
[Trait("Category", "Long")]
public class UnloadedPlugInTests
{
    // What an unloaded context leaves to finalizers takes some collections.
    private const int MostCollections = 50;

    // And the timer of waits fires once more, within a second. Only a failure takes so long.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <summary>What a plug-in may do with the allocator of its host.</summary>
    public static TheoryData<string> Rents => Methods(typeof(PlugInRents));

    /// <summary>What it may do with its own.</summary>
    public static TheoryData<string> Allocators => Methods(typeof(PlugInAllocators));

    [Theory]
    [MemberData(nameof(Rents))]
    public void Rents_of_a_plug_in_do_not_keep_it_loaded(string method) => ChildProcess.Run(UseAndUnload, [typeof(PlugInRents).FullName!, method]);

    [Theory]
    [MemberData(nameof(Allocators))]
    public void Allocators_of_a_plug_in_do_not_keep_it_loaded(string method) => ChildProcess.Run(UseAndUnload, [typeof(PlugInAllocators).FullName!, method]);

    [Fact]
    public void Plug_in_with_a_PixelPool_of_its_own_is_unloaded_with_it() => ChildProcess.Run(UseAloneAndUnload);

    [Fact]
    public void Plug_in_stays_loaded_until_native_code_has_released_its_memory() => ChildProcess.Run(GiveAndUnload);

    private static TheoryData<string> Methods(Type type) =>
        [.. type.GetMethods().Where(static method => method.IsStatic).Select(static method => method.Name)];

    private static void UseAndUnload(string[] args)
    {
        using PixelAllocator host = PixelAllocator.Create(new PixelAllocatorOptions { Name = "host", LeakTracking = LeakTracking.Full, MaxRentedBytes = 64 << 20 });
        WeakReference context = Use(host, typeof(UnloadedPlugInTests).Assembly.GetType(args[0], throwOnError: true)!, args[1], out object? kept);
        AssertUnloaded(context);
        CheckText(kept);
        Assert.Empty(host.GetOutstandingRents());
    }

    private static void UseAloneAndUnload()
    {
        int before = CountPageMaps();
        AssertUnloaded(UseAlone());
        for (int i = 0; i < MostCollections && CountPageMaps() != before; i++)
        {
            Collector.CollectAll();
        }

        Assert.Equal(before, CountPageMaps());
    }

    // Files of the process that the library keeps open.
    private static int CountPageMaps() => !OperatingSystem.IsLinux() ? 0
        : Directory.EnumerateFileSystemEntries("/proc/self/fd").Count(static file => File.ResolveLinkTarget(file, returnFinalTarget: false)?.FullName.EndsWith("/pagemap", StringComparison.Ordinal) == true);

    private static unsafe void GiveAndUnload()
    {
        WeakReference context = Give(out nint[] given);
        for (int i = 0; i < MostCollections; i++)
        {
            Collector.CollectAll();
        }

        Assert.True(context.IsAlive, "native code holds a function that was unloaded");
        new Span<uint>((void*)given[2], 1_000_000).Fill(1);
        Assert.Equal(0, ((delegate* unmanaged[Cdecl]<nint, int>)given[0])(given[1]));
        AssertUnloaded(context);
    }

    private static void AssertUnloaded(WeakReference context)
    {
        bool isUnloaded = SpinWait.SpinUntil(
            () =>
            {
                Collector.CollectAll();

                // What finalizers handed to the thread pool begins before this does.
                Task.Run(static () => { }).Wait();
                return !context.IsAlive;
            },
            s_limit);
        Assert.True(isUnloaded, "the plug-in stayed loaded");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Use(PixelAllocator host, Type type, string method, out object? kept)
    {
        var context = new PlugInContext(shares: true);
        kept = context.Find<Func<PixelAllocator, object?>>(type, method)(host);
        Assert.NotSame(type.Assembly, Assert.Single(context.Assemblies));
        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference UseAlone()
    {
        var context = new PlugInContext(shares: false);
        context.Find<Action>(typeof(PlugInAlone), nameof(PlugInAlone.UseAll))();
        Assert.Contains(context.Assemblies, static assembly => assembly.GetName().Name == nameof(PixelPool));
        context.Unload();
        return new WeakReference(context);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Give(out nint[] given)
    {
        var context = new PlugInContext(shares: false);
        given = context.Find<Func<nint[]>>(typeof(PlugInAlone), nameof(PlugInAlone.GivesToNative))();
        context.Unload();
        return new WeakReference(context);
    }

    // What was reported of the plug-in is still there to be read.
    private static void CheckText(object? kept)
    {
        foreach (RentRecord rent in kept as IEnumerable<RentRecord> ?? [])
        {
            Assert.Null(rent.Stack);
            Assert.Contains(nameof(PlugInRents), rent.Place, StringComparison.Ordinal);
            Assert.Contains(nameof(UseAndUnload), rent.StackText, StringComparison.Ordinal);
        }
    }
}
