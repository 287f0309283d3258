using System.Buffers;
using System.Reflection;

namespace PixelPool.Tests.Buffers;

/// <summary>Every public member of a buffer after its return: an ObjectDisposedException, or an answer where that is promised.</summary>
public class UseAfterDisposeTests
{
    private static readonly PixelBuffer<uint> s_living = PixelAllocator.Create(TierSizes.Options(MemoryTier.Array)).Rent<uint>(4, 3);

    // By signature, so that a new member without an entry is noticed.
    private static readonly Dictionary<string, Action<PixelBuffer<uint>>> s_members = new()
    {
        ["Clear()"] = b => b.Clear(),
        ["Fill(UInt32)"] = b => b.Fill(1),
        ["CopyTo(Span<UInt32>)"] = b => b.CopyTo(new uint[12]),
        ["CopyTo(Span<UInt32>, Int32)"] = b => b.CopyTo(new uint[12].AsSpan(), 4),
        ["CopyTo(Span<Byte>, Int32)"] = b => b.CopyTo(new byte[48].AsSpan(), 16),
        ["CopyFrom(ReadOnlySpan<UInt32>)"] = b => b.CopyFrom(new uint[12]),
        ["CopyFrom(ReadOnlySpan<UInt32>, Int32)"] = b => b.CopyFrom(new uint[12].AsSpan(), 4),
        ["CopyFrom(ReadOnlySpan<Byte>, Int32)"] = b => b.CopyFrom(new byte[48].AsSpan(), 16),
        ["CopyTo(PixelBuffer<UInt32>)"] = b => b.CopyTo(s_living),
        ["CopyFrom(PixelBuffer<UInt32>)"] = b => b.CopyFrom(s_living),
        ["Clone()"] = b => b.Clone(),
        ["AsLease()"] = b => b.AsLease(),
        ["get_HeldBytes()"] = b => _ = b.HeldBytes,
        ["ReadFromAsync(Stream, CancellationToken)"] = b => Wait(b.ReadFromAsync(new MemoryStream(new byte[48]))),
        ["WriteToAsync(Stream, CancellationToken)"] = b => Wait(b.WriteToAsync(Stream.Null)),
        ["DangerousGetRowMemory(Int32)"] = b => b.DangerousGetRowMemory(0),
        ["ReadFrom(Stream)"] = b => b.ReadFrom(new MemoryStream(new byte[48])),
        ["WriteTo(Stream)"] = b => b.WriteTo(Stream.Null),
        ["AsReadOnlySequence()"] = b => b.AsReadOnlySequence(),
        ["DangerousTryGetSinglePixelMemory(ref Memory<UInt32>)"] = b => b.DangerousTryGetSinglePixelMemory(out _),
        ["DangerousGetRowSpan(Int32)"] = b => b.DangerousGetRowSpan(0),
        ["View(Int32, Int32, Int32, Int32)"] = b => b.View(0, 0, 1, 1),
        ["Cast<TTo>()"] = b => b.Cast<byte>(),
        ["AsStream()"] = b => b.AsStream(),
        ["FilterPixelRows<TSource>(PixelBuffer<TSource>, PixelFilterAction<UInt32, TSource>)"] = b => b.FilterPixelRows(s_living, (_, _) => Called()),
        ["FilterPixelRows<TSource, TState>(PixelBuffer<TSource>, TState, PixelFilterStateAction<UInt32, TSource, TState>)"] = b => b.FilterPixelRows(s_living, 1, (_, _, _) => Called()),
        ["FilterPixelRowsInParallel<TSource>(PixelBuffer<TSource>, PixelFilterAction<UInt32, TSource>, Int32, CancellationToken)"] =
            b => b.FilterPixelRowsInParallel(s_living, (_, _) => Called()),
        ["FilterPixelRowsInParallel<TSource, TState>(PixelBuffer<TSource>, TState, PixelFilterStateAction<UInt32, TSource, TState>, Int32, CancellationToken)"] =
            b => b.FilterPixelRowsInParallel(s_living, 1, (_, _, _) => Called()),
        ["FilterPixelRows<TSource>(ReadOnlyPixelBuffer<TSource>, PixelFilterAction<UInt32, TSource>)"] = b => b.FilterPixelRows(s_living.AsReadOnly(), (_, _) => Called()),
        ["FilterPixelRows<TSource, TState>(ReadOnlyPixelBuffer<TSource>, TState, PixelFilterStateAction<UInt32, TSource, TState>)"] =
            b => b.FilterPixelRows(s_living.AsReadOnly(), 1, (_, _, _) => Called()),
        ["FilterPixelRowsInParallel<TSource>(ReadOnlyPixelBuffer<TSource>, PixelFilterAction<UInt32, TSource>, Int32, CancellationToken)"] =
            b => b.FilterPixelRowsInParallel(s_living.AsReadOnly(), (_, _) => Called()),
        ["FilterPixelRowsInParallel<TSource, TState>(ReadOnlyPixelBuffer<TSource>, TState, PixelFilterStateAction<UInt32, TSource, TState>, Int32, CancellationToken)"] =
            b => b.FilterPixelRowsInParallel(s_living.AsReadOnly(), 1, (_, _, _) => Called()),
        ["Pin()"] = b => b.Pin(),
        ["get_Item(Int32, Int32)"] = b => _ = b[0, 0],
        ["set_Item(Int32, Int32, UInt32)"] = b => b[0, 0] = 1,
        ["TryProcessSinglePixelSpan(SpanAction<UInt32>)"] = b => b.TryProcessSinglePixelSpan(_ => Called()),
        ["ProcessPixelRows(PixelAccessorAction<UInt32>)"] = b => b.ProcessPixelRows(_ => Called()),
        ["ProcessPixelRows<TState>(TState, PixelAccessorStateAction<UInt32, TState>)"] = b => b.ProcessPixelRows(1, (_, _) => Called()),
        ["ProcessPixelRows<TPixel2>(PixelBuffer<TPixel2>, PixelAccessorAction<UInt32, TPixel2>)"] =
            b => b.ProcessPixelRows(s_living, (_, _) => Called()),
        ["ProcessPixelRows<TPixel2, TState>(PixelBuffer<TPixel2>, TState, PixelAccessorStateAction<UInt32, TPixel2, TState>)"] =
            b => b.ProcessPixelRows(s_living, 1, (_, _, _) => Called()),
        ["ProcessPixelRows<TPixel2, TPixel3>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, PixelAccessorAction<UInt32, TPixel2, TPixel3>)"] =
            b => b.ProcessPixelRows(s_living, s_living, (_, _, _) => Called()),
        ["ProcessPixelRows<TPixel2, TPixel3, TState>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, TState, "
            + "PixelAccessorStateAction<UInt32, TPixel2, TPixel3, TState>)"] = b => b.ProcessPixelRows(s_living, s_living, 1, (_, _, _, _) => Called()),
        ["ProcessPixelRowsInParallel(PixelAccessorAction<UInt32>, Int32)"] = b => b.ProcessPixelRowsInParallel(_ => Called()),
        ["ProcessPixelRows<TPixel2>(ReadOnlySpan<PixelBuffer<TPixel2>>, PixelAccessorListAction<UInt32, TPixel2>)"] =
            b => b.ProcessPixelRows<uint>([s_living], (_, _) => Called()),
        ["ProcessPixelRows<TPixel2, TState>(ReadOnlySpan<PixelBuffer<TPixel2>>, TState, PixelAccessorListAction<UInt32, TPixel2, TState>)"] =
            b => b.ProcessPixelRows<uint, int>([s_living], 1, (_, _, _) => Called()),
        ["ProcessPixelRowsInParallel(PixelAccessorAction<UInt32>, CancellationToken)"] = b => b.ProcessPixelRowsInParallel(_ => Called(), Token),
        ["ProcessPixelRowsInParallel(PixelAccessorAction<UInt32>, Int32, CancellationToken)"] = b => b.ProcessPixelRowsInParallel(_ => Called(), 2, Token),
        ["ProcessPixelRowsInParallel<TPixel2>(PixelBuffer<TPixel2>, PixelAccessorAction<UInt32, TPixel2>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(s_living, (_, _) => Called(), 2, Token),
        ["ProcessPixelRowsInParallel<TPixel2, TPixel3>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, PixelAccessorAction<UInt32, TPixel2, TPixel3>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(s_living, s_living, (_, _, _) => Called(), 2, Token),
        ["ProcessPixelRowsInParallel<TState>(TState, PixelAccessorStateAction<UInt32, TState>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(1, (_, _) => Called()),
        ["ProcessPixelRowsInParallel<TPixel2>(PixelBuffer<TPixel2>, PixelAccessorAction<UInt32, TPixel2>, Int32)"] =
            b => b.ProcessPixelRowsInParallel(s_living, (_, _) => Called()),
        ["ProcessPixelRowsInParallel<TPixel2>(PixelBuffer<TPixel2>, PixelAccessorAction<UInt32, TPixel2>, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(s_living, (_, _) => Called(), Token),
        ["ProcessPixelRowsInParallel<TPixel2, TState>(PixelBuffer<TPixel2>, TState, PixelAccessorStateAction<UInt32, TPixel2, TState>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(s_living, 1, (_, _, _) => Called()),
        ["ProcessPixelRowsInParallel<TPixel2, TPixel3>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, PixelAccessorAction<UInt32, TPixel2, TPixel3>, Int32)"] =
            b => b.ProcessPixelRowsInParallel(s_living, s_living, (_, _, _) => Called()),
        ["ProcessPixelRowsInParallel<TPixel2, TPixel3>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, PixelAccessorAction<UInt32, TPixel2, TPixel3>, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(s_living, s_living, (_, _, _) => Called(), Token),
        ["ProcessPixelRowsInParallel<TPixel2, TPixel3, TState>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, TState, "
            + "PixelAccessorStateAction<UInt32, TPixel2, TPixel3, TState>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(s_living, s_living, 1, (_, _, _, _) => Called()),
        ["ProcessPixelRowsInParallel<TPixel2>(ReadOnlySpan<PixelBuffer<TPixel2>>, PixelAccessorListAction<UInt32, TPixel2>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel<uint>([s_living], (_, _) => Called()),
        ["ProcessPixelRowsInParallel<TPixel2, TState>(ReadOnlySpan<PixelBuffer<TPixel2>>, TState, "
            + "PixelAccessorListAction<UInt32, TPixel2, TState>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel<uint, int>([s_living], 1, (_, _, _) => Called()),
        ["ProcessPixelRowsInParallel<TState, TResult>(TState, PixelAccessorStateFunc<UInt32, TState, TResult>, Func<TResult, TResult, TResult>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(1, (_, _) => Result(), (a, _) => a),
        ["ProcessPixelRowsInParallel<TPixel2, TState, TResult>(PixelBuffer<TPixel2>, TState, PixelAccessorStateFunc<UInt32, TPixel2, TState, TResult>, "
            + "Func<TResult, TResult, TResult>, Int32, CancellationToken)"] = b => b.ProcessPixelRowsInParallel(s_living, 1, (_, _, _) => Result(), (a, _) => a),
        ["ProcessPixelRowsInParallel<TPixel2, TPixel3, TState, TResult>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, TState, "
            + "PixelAccessorStateFunc<UInt32, TPixel2, TPixel3, TState, TResult>, Func<TResult, TResult, TResult>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(s_living, s_living, 1, (_, _, _, _) => Result(), (a, _) => a),
        ["ProcessPixelRows<TResult>(PixelAccessorFunc<UInt32, TResult>)"] = b => b.ProcessPixelRows(_ => Result()),
        ["ProcessPixelRows<TState, TResult>(TState, PixelAccessorStateFunc<UInt32, TState, TResult>)"] = b => b.ProcessPixelRows(1, (_, _) => Result()),
        ["ProcessPixelRows<TPixel2, TResult>(PixelBuffer<TPixel2>, PixelAccessorFunc<UInt32, TPixel2, TResult>)"] =
            b => b.ProcessPixelRows(s_living, (_, _) => Result()),
        ["ProcessPixelRows<TPixel2, TState, TResult>(PixelBuffer<TPixel2>, TState, PixelAccessorStateFunc<UInt32, TPixel2, TState, TResult>)"] =
            b => b.ProcessPixelRows(s_living, 1, (_, _, _) => Result()),
        ["ProcessPixelRows<TPixel2, TPixel3, TResult>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, PixelAccessorFunc<UInt32, TPixel2, TPixel3, TResult>)"] =
            b => b.ProcessPixelRows(s_living, s_living, (_, _, _) => Result()),
        ["ProcessPixelRows<TPixel2, TPixel3, TState, TResult>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, TState, "
            + "PixelAccessorStateFunc<UInt32, TPixel2, TPixel3, TState, TResult>)"] = b => b.ProcessPixelRows(s_living, s_living, 1, (_, _, _, _) => Result()),
        ["ProcessPixelRows<TPixel2, TResult>(ReadOnlySpan<PixelBuffer<TPixel2>>, PixelAccessorListFunc<UInt32, TPixel2, TResult>)"] =
            b => b.ProcessPixelRows<uint, int>([s_living], (_, _) => Result()),
        ["ProcessPixelRows<TPixel2, TState, TResult>(ReadOnlySpan<PixelBuffer<TPixel2>>, TState, PixelAccessorListFunc<UInt32, TPixel2, TState, TResult>)"] =
            b => b.ProcessPixelRows<uint, int, int>([s_living], 1, (_, _, _) => Result()),
        ["ProcessPixelRowsInParallel<TResult>(PixelAccessorFunc<UInt32, TResult>, Func<TResult, TResult, TResult>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(_ => Result(), (a, _) => a),
        ["ProcessPixelRowsInParallel<TPixel2, TResult>(PixelBuffer<TPixel2>, PixelAccessorFunc<UInt32, TPixel2, TResult>, Func<TResult, TResult, TResult>, Int32, CancellationToken)"] =
            b => b.ProcessPixelRowsInParallel(s_living, (_, _) => Result(), (a, _) => a),
        ["ProcessPixelRowsInParallel<TPixel2, TPixel3, TResult>(PixelBuffer<TPixel2>, PixelBuffer<TPixel3>, PixelAccessorFunc<UInt32, TPixel2, TPixel3, TResult>, "
            + "Func<TResult, TResult, TResult>, Int32, CancellationToken)"] = b => b.ProcessPixelRowsInParallel(s_living, s_living, (_, _, _) => Result(), (a, _) => a),
        ["ProcessPixelRowsInParallel<TPixel2, TResult>(ReadOnlySpan<PixelBuffer<TPixel2>>, PixelAccessorListFunc<UInt32, TPixel2, TResult>, "
            + "Func<TResult, TResult, TResult>, Int32, CancellationToken)"] = b => b.ProcessPixelRowsInParallel<uint, int>([s_living], (_, _) => Result(), (a, _) => a),
        ["ProcessPixelRowsInParallel<TPixel2, TState, TResult>(ReadOnlySpan<PixelBuffer<TPixel2>>, TState, PixelAccessorListFunc<UInt32, TPixel2, TState, TResult>, "
            + "Func<TResult, TResult, TResult>, Int32, CancellationToken)"] = b => b.ProcessPixelRowsInParallel<uint, int, int>([s_living], 1, (_, _, _) => Result(), (a, _) => a),
        ["AsSubsampledPlane(Int32)"] = b => b.AsSubsampledPlane(2),
    };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private static readonly MemoryTier[] s_tiers = [MemoryTier.Array, MemoryTier.Slab, MemoryTier.OneBlock, MemoryTier.UnpooledPieces];

    private static readonly string[] s_answers =
    [
        "get_Width()", "get_Height()", "get_Stride()", "get_RowsPerBlock()", "get_BlockCount()",
        "get_IsContiguous()", "get_IsDisposed()", "Dispose()", "ToString()", "AsReadOnly()",
    ];

    public static TheoryData<string> Members => [.. s_members.Keys];

    [Fact]
    public void Every_public_member_is_in_the_table()
    {
        string[] members = typeof(PixelBuffer<uint>)
            .GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Select(MemberNames.Of)
            .ToArray();
        Assert.Equal(members.Order(StringComparer.Ordinal), s_members.Keys.Concat(s_answers).Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Members))]
    public void A_disposed_buffer_throws(string member)
    {
        foreach (MemoryTier tier in s_tiers)
        {
            using PixelAllocator allocator = Create(tier);
            PixelBuffer<uint> buffer = allocator.Rent<uint>(4, 3);
            buffer.Dispose();
            AssertDisposed(() => s_members[member](buffer));
            TierSizes.AssertQuiet(allocator);
        }
    }

    [Theory]
    [MemberData(nameof(Members))]
    public void A_disposed_buffer_throws_when_its_memory_is_rented_again(string member)
    {
        foreach (MemoryTier tier in s_tiers)
        {
            using PixelAllocator allocator = Create(tier);
            PixelBuffer<uint> buffer = allocator.Rent<uint>(4, 3);
            buffer.Dispose();
            using PixelBuffer<uint> next = allocator.Rent<uint>(4, 3);
            PixelPattern.Write(next);
            AssertDisposed(() => s_members[member](buffer));
            PixelPattern.AssertHolds(next);
        }
    }

    [Theory]
    [MemberData(nameof(Members))]
    public void A_disposed_buffer_throws_also_while_a_view_and_a_pin_hold_its_memory(string member)
    {
        foreach (MemoryTier tier in s_tiers)
        {
            using PixelAllocator allocator = Create(tier);
            PixelBuffer<uint> buffer = allocator.Rent<uint>(4, 3);
            using PixelBuffer<uint> view = buffer.View(0, 0, 4, 3);
            using PinnedPixels pin = view.Pin();
            buffer.Dispose();
            AssertDisposed(() => s_members[member](buffer));
            PixelPattern.Write(view);
            PixelPattern.AssertHolds(view);
            view.Dispose();
            AssertDisposed(() => s_members[member](view));
        }
    }

    [Fact]
    public void Sizes_and_state_of_a_disposed_buffer_can_still_be_read()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.SeveralBlocks);
        PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, MemoryTier.SeveralBlocks);
        Assert.False(buffer.IsDisposed);
        (int, int, int, int, int, bool) before = Describe();
        buffer.Dispose();
        buffer.Dispose();
        Assert.True(buffer.IsDisposed);
        Assert.Equal(before, Describe());
        Assert.EndsWith(", disposed", buffer.ToString(), StringComparison.Ordinal);

        (int, int, int, int, int, bool) Describe() =>
            (buffer.Width, buffer.Height, buffer.Stride, buffer.RowsPerBlock, buffer.BlockCount, buffer.IsContiguous);
    }

    [Fact]
    public void A_disposed_buffer_throws_as_the_other_one_too()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> gone = allocator.Rent<uint>(4, 3);
        PixelBuffer<uint> living = allocator.Rent<uint>(4, 3);
        gone.Dispose();
        AssertDisposed(() => living.CopyTo(gone));
        AssertDisposed(() => living.ProcessPixelRows(gone, (_, _) => Called()));
        AssertDisposed(() => living.ProcessPixelRows(gone, 1, (_, _, _) => Called()));
        AssertDisposed(() => living.ProcessPixelRows(gone, living, (_, _, _) => Called()));
        AssertDisposed(() => living.ProcessPixelRows(living, gone, (_, _, _) => Called()));
        AssertDisposed(() => living.ProcessPixelRows(living, gone, 1, (_, _, _, _) => Called()));

        // Nothing kept a reference on the one that lives.
        living.Dispose();
        TierSizes.AssertQuiet(allocator);
    }

    [Theory]
    [InlineData(MemoryTier.Array)]
    [InlineData(MemoryTier.SeveralBlocks)]
    [InlineData(MemoryTier.UnpooledPieces)]
    public void A_sequence_throws_after_its_buffer_was_disposed(MemoryTier tier)
    {
        using PixelAllocator allocator = TierSizes.Create(tier);
        PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, tier);
        ReadOnlySequence<byte> sequence = buffer.AsReadOnlySequence();
        Assert.Equal(buffer.Width * buffer.Height * sizeof(uint), sequence.Length);
        buffer.Dispose();
        using PixelBuffer<uint> next = TierSizes.Rent<uint>(allocator, tier);
        foreach (ReadOnlyMemory<byte> segment in sequence)
        {
            AssertDisposed(() => _ = segment.Span[0]);
            AssertDisposed(() => segment.Pin());
        }

        AssertDisposed(() => sequence.ToArray());
    }

    [Fact]
    public void A_single_memory_throws_after_its_buffer_was_disposed()
    {
        using PixelAllocator allocator = TierSizes.Create(MemoryTier.OneBlock);
        PixelBuffer<uint> buffer = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        Assert.True(buffer.DangerousTryGetSinglePixelMemory(out Memory<uint> memory));
        Memory<uint> slice = memory[3..7];
        buffer.Dispose();
        using PixelBuffer<uint> next = TierSizes.Rent<uint>(allocator, MemoryTier.OneBlock);
        AssertDisposed(() => _ = memory.Span[0]);
        AssertDisposed(() => _ = slice.Span[0]);
        AssertDisposed(() => memory.Pin());
        Assert.Equal(61 * next.Height, memory.Length);
    }

    // Small images in every tier that can have them.
    private static PixelAllocator Create(MemoryTier tier)
    {
        PixelAllocatorOptions options = TierSizes.Options(tier);
        if (tier is MemoryTier.OneBlock or MemoryTier.UnpooledPieces)
        {
            options.SmallBuffers = SmallBufferStrategy.None;
        }

        return PixelAllocator.Create(options);
    }

    private static void AssertDisposed(Action use) => Assert.Throws<ObjectDisposedException>(use);

    private static void Called() => Assert.Fail("The delegate was called.");

    private static int Result()
    {
        Called();
        return 0;
    }

    private static void Wait(ValueTask task) => task.AsTask().GetAwaiter().GetResult();
}
