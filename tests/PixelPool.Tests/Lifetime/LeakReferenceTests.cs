using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Lifetime;

/// <summary>What still refers to an image, or uses it, keeps its memory: nothing is finalized under somebody's hands.</summary>
[Trait("Category", "Long")]
public class LeakReferenceTests
{
    public static TheoryData<string> Runtimes => LeakTests.Runtimes;

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Sequence_keeps_the_memory(string runtime) => Run(HoldSequence, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Memory_keeps_the_memory(string runtime) => Run(HoldMemory, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void View_and_pin_keep_the_memory(string runtime) => Run(HoldViewAndPin, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Running_delegate_keeps_the_memory(string runtime) => Run(CollectInDelegates, runtime);

    [Theory]
    [MemberData(nameof(Runtimes))]
    public void Running_stream_copy_keeps_the_memory(string runtime) => Run(CollectInStreams, runtime);

    private static void Run(Action body, string runtime) =>
        ChildProcess.Run(body, runtime.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static void HoldSequence() => CheckHeld(
        static buffer => buffer.AsReadOnlySequence(),
        static held =>
        {
            var sequence = (ReadOnlySequence<byte>)held;
            Assert.Equal(7, sequence.FirstSpan[0]);
            Assert.Equal(7, sequence.Slice(sequence.Length - 4).FirstSpan[0]);
        });

    private static void HoldMemory() => CheckHeld(
        static buffer => buffer.DangerousTryGetSinglePixelMemory(out Memory<uint> memory) ? memory : buffer.AsReadOnlySequence(),
        static held => Assert.Equal(7u, held is Memory<uint> memory ? memory.Span[^1] : ((ReadOnlySequence<byte>)held).FirstSpan[0]));

    private static void HoldViewAndPin()
    {
        CheckHeld(
            static buffer => buffer.View(1, 1, 3, 3),
            static held => Assert.Equal(7u, ((PixelBuffer<uint>)held)[2, 2]));
        CheckHeld(
            static buffer => buffer.View(buffer.Width - 1, buffer.Height - 1, 1, 1).Pin(),
            static held => Assert.Equal(7u, Read((PinnedPixels)held)));

        static unsafe uint Read(PinnedPixels pin) => *(uint*)pin.Pointer;
    }

    private static void CheckHeld(Func<PixelBuffer<uint>, object> derive, Action<object> check) => Rental.ForEachKind(kind =>
    {
        using var rental = new Rental(kind);
        CheckWhileHeld(rental, derive, check);
        Collector.CollectAll();
        Assert.Equal(1, rental.Statistics.LeakedCount);
        rental.AssertNothingRented();
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CheckWhileHeld(Rental rental, Func<PixelBuffer<uint>, object> derive, Action<object> check)
    {
        object held = RentAndDerive(rental, derive);
        Collector.CollectAll();
        using (PixelBuffer<uint> other = rental.Rent())
        {
            other.Fill(8);
            check(held);
        }

        Assert.Equal(0, rental.Statistics.LeakedCount);
        Assert.NotEqual(0, rental.Statistics.RentedBytes);
        GC.KeepAlive(held);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object RentAndDerive(Rental rental, Func<PixelBuffer<uint>, object> derive)
    {
        PixelBuffer<uint> buffer = rental.Rent();
        buffer.Fill(7);
        return derive(buffer);
    }

    private static void CollectInDelegates()
    {
        CheckDelegate(1, static rental => rental.Rent().ProcessPixelRows(
            rental, static (rows, rental) => CollectAndCheck(rental, rows)));
        CheckDelegate(2, static rental => rental.Rent().ProcessPixelRows(
            rental.Rent(), rental, static (a, b, rental) => CollectAndCheck(rental, a, b)));
        CheckDelegate(3, static rental => rental.Rent().ProcessPixelRows(
            rental.Rent(), rental.Rent(), rental, static (a, b, c, rental) => CollectAndCheck(rental, a, b, c)));
        CheckDelegate(1, static rental => rental.Rent().ProcessPixelRowsInParallel(
            rental, static (rows, rental) => CollectAndCheck(rental, rows), maxDegreeOfParallelism: 1));
        CheckDelegate(1, static rental => rental.Rent().View(0, 0, 1, 1).TryProcessSinglePixelSpan(pixels =>
        {
            pixels[0] = 7;
            CollectAndCheck(rental);
            Assert.Equal(7u, pixels[0]);
        }));
    }

    private static void CollectInStreams()
    {
        CheckDelegate(1, static rental => rental.Rent().WriteTo(new CollectingStream(() => CollectAndCheck(rental))));
        CheckDelegate(1, static rental => rental.Rent().ReadFrom(new CollectingStream(() => CollectAndCheck(rental))));
    }

    // The images are reachable only through the running call.
    private static void CheckDelegate(int images, Action<Rental> process) => Rental.ForEachKind(kind =>
    {
        using var rental = new Rental(kind);
        Process(rental, process);
        Collector.CollectAll();
        Assert.Equal(images, rental.Statistics.LeakedCount);
        rental.AssertNothingRented();
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Process(Rental rental, Action<Rental> process) => process(rental);

    private static void CollectAndCheck(
        Rental rental, PixelAccessor<uint> a = default, PixelAccessor<uint> b = default, PixelAccessor<uint> c = default)
    {
        Mark(a, 1);
        Mark(b, 2);
        Mark(c, 3);
        Collector.CollectAll();
        Assert.Equal(0, rental.Statistics.LeakedCount);
        using (PixelBuffer<uint> other = rental.Rent())
        {
            other.Fill(9);
        }

        CheckMark(a, 1);
        CheckMark(b, 2);
        CheckMark(c, 3);
    }

    private static void Mark(PixelAccessor<uint> rows, uint value)
    {
        foreach (Span<uint> row in rows)
        {
            row[0] = row[^1] = value;
        }
    }

    private static void CheckMark(PixelAccessor<uint> rows, uint value)
    {
        foreach (Span<uint> row in rows)
        {
            Assert.Equal(value, row[0]);
            Assert.Equal(value, row[^1]);
        }
    }
}
