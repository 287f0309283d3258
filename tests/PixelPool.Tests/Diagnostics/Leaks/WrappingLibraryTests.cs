using PixelPool.Diagnostics;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>Libraries that rent for those who call them are left out of reports: they name the line that called the library.</summary>
public class WrappingLibraryTests
{
    private static readonly GeneratedLibrary s_plain = new("Plain.Processing");
    private static readonly GeneratedLibrary s_adapter = new("Hidden.Adapter", null, "Plain.Processing");

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    [Fact]
    public void A_library_without_the_attribute_is_named() => Assert.Equal("Plain.Processing.Caller.Rent", PlaceOf(s_plain.Rent));

    [Fact]
    public void A_library_with_the_attribute_is_left_out() => AssertNamesTheCaller(PlaceOf(s_adapter.Rent));

    [Fact]
    public void One_with_an_attribute_that_cannot_be_loaded_is_named() =>
        Assert.Equal("Torn.Caller.Rent", PlaceOf(static allocator => GeneratedLibrary.WithLostAttribute("Torn").Rent(allocator)));

    [Fact]
    public void So_is_the_library_that_it_names() => AssertNamesTheCaller(PlaceOf(allocator => s_plain.CallOn(s_adapter.Rent(allocator))));

    [Fact]
    public void So_is_the_base_library_between_their_frames() =>
        AssertNamesTheCaller(PlaceOf(allocator => s_plain.CallOnByReflection(s_adapter.Rent(allocator))));

    [Fact]
    public void So_is_the_base_library_that_calls_PixelPool() => Assert.StartsWith(
        $"{typeof(WrappingLibraryTests).FullName}.{nameof(So_is_the_base_library_that_calls_PixelPool)}",
        PlaceOf(static allocator => () => ((Delegate)allocator.Allocate<byte>).DynamicInvoke(1 << 20, AllocationOptions.None)!),
        StringComparison.Ordinal);

    [Fact]
    public void Others_that_call_them_are_named() =>
        Assert.Equal("Other.Caller.CallOn", PlaceOf(allocator => new GeneratedLibrary("Other").CallOn(s_adapter.Rent(allocator))));

    [Fact]
    public void Their_outermost_frame_stays_where_nobody_else_is_on_the_stack() =>
        Assert.Equal("Plain.Processing.Caller.CallOn", PlaceOf(allocator => s_plain.CallOn(s_adapter.Rent(allocator)), OnThreadOfItsOwn));

    private static void AssertNamesTheCaller(string place) =>
        Assert.StartsWith($"{typeof(WrappingLibraryTests).FullName}.{nameof(PlaceOf)}", place, StringComparison.Ordinal);

    private static string PlaceOf(Func<PixelAllocator, Func<object>> library, Func<Func<object>, object>? call = null)
    {
        PixelAllocatorOptions options = TierSizes.Options(MemoryTier.OneBlock);
        options.LeakTracking = LeakTracking.Full;
        using PixelAllocator allocator = PixelAllocator.Create(options);
        Func<object> rent = library(allocator);
        using var owner = (IDisposable)(call is null ? rent() : call(rent));
        return Assert.Single(allocator.GetOutstandingRents()).Place!;
    }

    // Nothing of these tests is on the thread's stack: it begins in the library.
    private static object OnThreadOfItsOwn(Func<object> rent)
    {
        Task<object> task = Task.Factory.StartNew(rent, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Assert.True(task.Wait(s_patience));
        return task.Result;
    }
}
