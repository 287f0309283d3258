using System.Reflection;
using System.Runtime.CompilerServices;
using PixelPool.FixedBlocks;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>An object whose constructor ran out of memory is finalized, too. Its finalizer returns nothing that it never got.</summary>
public sealed class FailedConstructorTests
{
    [Fact]
    public void Nothing_happens_when_a_fixed_size_heap_without_fields_is_finalized()
    {
        int[] before = Slots(8);
        Finalize(RuntimeHelpers.GetUninitializedObject(typeof(FixedSizeHeap)));

        // Each slot is still one fixed-size heap's.
        int[] after = Slots(8);
        Assert.Equal(16, before.Concat(after).Distinct().Count());
        Array.ForEach([.. before, .. after], HeapSlots.Return);
    }

    [Fact]
    public void Nothing_happens_when_a_fixed_size_heap_is_finalized_that_got_no_slot()
    {
        using var system = new TestSystem();
        using UniformUnmanagedMemoryPool pool = system.CreatePool();
        var failed = (FixedSizeHeap)RuntimeHelpers.GetUninitializedObject(typeof(FixedSizeHeap));
        var whole = new FixedSizeHeap(32, new PoolSupply(pool, ownsPool: false), checksFrees: false, "test");
        foreach (FieldInfo field in typeof(FixedSizeHeap).GetFields(BindingFlags.Instance | BindingFlags.NonPublic))
        {
            // The last thing that the constructor gets.
            if (field.Name != "_slot")
            {
                field.SetValue(failed, field.GetValue(whole));
            }
        }

        int before = HeapSlots.Take();
        Finalize(failed);
        int after = HeapSlots.Take();
        Assert.NotEqual(0, after);
        Assert.NotEqual(before, after);
        Array.ForEach([before, after], HeapSlots.Return);
        whole.Dispose();
    }

    private static int[] Slots(int count) => [.. Enumerable.Range(0, count).Select(static _ => HeapSlots.Take())];

    private static void Finalize(object failed)
    {
        GC.SuppressFinalize(failed);
        failed.GetType().GetMethod("Finalize", BindingFlags.Instance | BindingFlags.NonPublic)!.Invoke(failed, BindingFlags.DoNotWrapExceptions, null, null, null);
    }
}
