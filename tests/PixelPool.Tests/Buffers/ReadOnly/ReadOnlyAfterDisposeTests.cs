using System.Reflection;

namespace PixelPool.Tests.Buffers.ReadOnly;

/// <summary>Every public member after the end, and of the default value.</summary>
public class ReadOnlyAfterDisposeTests
{
    private static readonly PixelBuffer<uint> s_living = PixelAllocator.Create(TierSizes.Options(MemoryTier.Array)).Rent<uint>(4, 3);

    // By signature, so that a new member without an entry is noticed.
    private static readonly Dictionary<string, Action<ReadOnlyPixelBuffer<uint>>> s_members = new()
    {
        ["get_Item(Int32, Int32)"] = static b => _ = b[0, 0],
        ["View(Int32, Int32, Int32, Int32)"] = static b => b.View(0, 0, 1, 1),
        ["Cast<TTo>()"] = static b => b.Cast<byte>(),
        ["Pin()"] = static b => b.Pin(),
        ["CopyTo(Span<UInt32>)"] = static b => b.CopyTo(new uint[12]),
        ["CopyTo(Span<UInt32>, Int32)"] = static b => b.CopyTo(new uint[12].AsSpan(), 4),
        ["CopyTo(Span<Byte>, Int32)"] = static b => b.CopyTo(new byte[48].AsSpan(), 16),
        ["CopyTo(PixelBuffer<UInt32>)"] = static b => b.CopyTo(s_living),
        ["Clone()"] = static b => b.Clone(),
        ["WriteTo(Stream)"] = static b => b.WriteTo(Stream.Null),
        ["WriteToAsync(Stream, CancellationToken)"] = static b => b.WriteToAsync(Stream.Null).AsTask().GetAwaiter().GetResult(),
        ["AsStream()"] = static b => b.AsStream(),
        ["AsReadOnlySequence()"] = static b => b.AsReadOnlySequence(),
        ["ProcessPixelRows(ReadOnlyPixelAccessorAction<UInt32>)"] = static b => b.ProcessPixelRows(static _ => Called()),
        ["ProcessPixelRows<TState>(TState, ReadOnlyPixelAccessorStateAction<UInt32, TState>)"] = static b => b.ProcessPixelRows(1, static (_, _) => Called()),
        ["ProcessPixelRows<TResult>(ReadOnlyPixelAccessorFunc<UInt32, TResult>)"] = static b => b.ProcessPixelRows(static _ => Result()),
        ["ProcessPixelRows<TState, TResult>(TState, ReadOnlyPixelAccessorStateFunc<UInt32, TState, TResult>)"] = static b => b.ProcessPixelRows(1, static (_, _) => Result()),
        ["ProcessPixelRowsInParallel<TResult>(ReadOnlyPixelAccessorFunc<UInt32, TResult>, Func<TResult, TResult, TResult>, Int32, CancellationToken)"] =
            static b => b.ProcessPixelRowsInParallel(static _ => Result(), static (a, _) => a),
        ["ProcessPixelRowsInParallel<TState, TResult>(TState, ReadOnlyPixelAccessorStateFunc<UInt32, TState, TResult>, Func<TResult, TResult, TResult>, Int32, CancellationToken)"] =
            static b => b.ProcessPixelRowsInParallel(1, static (_, _) => Result(), static (a, _) => a),
    };

    private static readonly string[] s_sizes = ["get_Width()", "get_Height()", "get_Stride()", "get_IsContiguous()"];

    private static readonly string[] s_answers = ["get_IsDisposed()", "Dispose()", "ToString()"];

    public static TheoryData<string> Members => [.. s_members.Keys];

    [Fact]
    public void Every_public_member_is_in_the_table()
    {
        string[] members = [.. typeof(ReadOnlyPixelBuffer<uint>).GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly).Select(MemberNames.Of)];
        Assert.Equal(members.Order(StringComparer.Ordinal), s_members.Keys.Concat(s_sizes).Concat(s_answers).Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Members))]
    public void It_throws(string member)
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> image = allocator.Rent<uint>(4, 3);
        ReadOnlyPixelBuffer<uint> read = image;
        image.Dispose();
        using PixelBuffer<uint> next = allocator.Rent<uint>(4, 3);
        Assert.Throws<ObjectDisposedException>(() => s_members[member](read));
        Assert.Throws<ObjectDisposedException>(() => s_members[member](default));
        next.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Fact]
    public void The_default_value_has_no_size_and_is_disposed()
    {
        ReadOnlyPixelBuffer<uint> none = default;
        none.Dispose();
        Assert.True(none.IsDisposed);
        Assert.Equal("0 x 0 UInt32, never rented", none.ToString());
        Assert.Throws<ObjectDisposedException>(() => none.Width);
        Assert.Throws<ObjectDisposedException>(() => none.Height);
        Assert.Throws<ObjectDisposedException>(() => none.Stride);
        Assert.Throws<ObjectDisposedException>(() => none.IsContiguous);
        ReadOnlyPixelBuffer<uint> ofNull = (PixelBuffer<uint>)null!;
        Assert.True(ofNull.IsDisposed);
    }

    [Fact]
    public void What_is_missing_is_named()
    {
        ReadOnlyPixelBuffer<uint> read = s_living;
        Assert.Throws<ArgumentNullException>("process", () => read.ProcessPixelRows((ReadOnlyPixelAccessorAction<uint>)null!));
        Assert.Throws<ArgumentNullException>("process", () => read.ProcessPixelRows(1, (ReadOnlyPixelAccessorStateAction<uint, int>)null!));
        Assert.Throws<ArgumentNullException>("process", () => read.ProcessPixelRows((ReadOnlyPixelAccessorFunc<uint, int>)null!));
        Assert.Throws<ArgumentNullException>("process", () => read.ProcessPixelRows(1, (ReadOnlyPixelAccessorStateFunc<uint, int, int>)null!));
        Assert.Throws<ArgumentNullException>("process", () => read.ProcessPixelRowsInParallel((ReadOnlyPixelAccessorFunc<uint, int>)null!, static (a, _) => a));
        Assert.Throws<ArgumentNullException>("process", () => read.ProcessPixelRowsInParallel(1, (ReadOnlyPixelAccessorStateFunc<uint, int, int>)null!, static (a, _) => a));
        Assert.Throws<ArgumentNullException>("combine", () => read.ProcessPixelRowsInParallel(static _ => 1, null!));
        Assert.Throws<ArgumentNullException>("destination", () => read.CopyTo((PixelBuffer<uint>)null!));
        Assert.Throws<ArgumentNullException>("destination", () => read.WriteTo(null!));
    }

    private static void Called() => Assert.Fail("The delegate was called.");

    private static int Result()
    {
        Called();
        return 0;
    }
}
