using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using PixelPool.Lifetime;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>Guards are small, because a burst of small images needs many, and what one thread writes of its guard lies apart from every other object.</summary>
public sealed class GuardLayoutTests
{
    private const int LinePair = 128;

    // The head of an object: its lock word, and its type. Nobody writes them while it is rented.
    private static readonly int s_headBytes = 2 * IntPtr.Size;

    private static readonly PixelAllocator s_allocator = PixelAllocator.Create();
    private static readonly GuardRegistry s_registry = s_allocator.Tracking.Guards;

    [Fact]
    public void What_a_rent_writes_has_a_line_pair_before_and_behind_it()
    {
        Assert.SkipUnless(Environment.Is64BitProcess, "pointers are smaller");
        var guard = new LifetimeGuard(s_registry);
        long end = GuardBytes() - IntPtr.Size;
        Assert.All(
            [
                ObjectLayout.Offset(guard, ref State(guard)), ObjectLayout.Offset(guard, ref BlockCount(guard)), ObjectLayout.Offset(guard, ref BlockBytes(guard)),
                ObjectLayout.Offset(guard, ref LastBlockBytes(guard)), ObjectLayout.Offset(guard, ref FreshBytes(guard)),
            ],
            offset => Assert.InRange(offset, LinePair, end + s_headBytes - LinePair - sizeof(long)));
        Assert.Equal(end, ObjectLayout.Offset(guard, ref Margin(guard)) + Unsafe.SizeOf<ColdGuardFields>());
        GC.KeepAlive(guard);
    }

    [Fact]
    public void A_guard_of_one_piece_takes_few_bytes()
    {
        Assert.SkipUnless(TableBytes() == 0, "the netstandard2.0 build has a table");
        Assert.InRange(ObjectLayout.BytesOf(static () => new LifetimeGuard(s_registry)), LinePair, 400);
    }

    private static long GuardBytes() =>
        ObjectLayout.BytesOf(static () => new LifetimeGuard(s_registry)) - ObjectLayout.BytesOf(static () => new LinkedListNode<GCHandle>(default)) - TableBytes();

    // Only the netstandard2.0 build makes one for each guard.
    private static long TableBytes()
    {
        nint[] table = new LifetimeGuard(s_registry).Blocks;
        return table.Length == 0 ? 0 : ObjectLayout.BytesOf(() => new nint[table.Length]);
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_state")]
    private static extern ref long State(LifetimeGuard guard);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "<BlockCount>k__BackingField")]
    private static extern ref int BlockCount(LifetimeGuard guard);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "<BlockBytes>k__BackingField")]
    private static extern ref long BlockBytes(LifetimeGuard guard);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "<LastBlockBytes>k__BackingField")]
    private static extern ref long LastBlockBytes(LifetimeGuard guard);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "<FreshBytes>k__BackingField")]
    private static extern ref long FreshBytes(LifetimeGuard guard);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_rare")]
    private static extern ref ColdGuardFields Margin(LifetimeGuard guard);
}
