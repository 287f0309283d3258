using BenchmarkDotNet.Attributes;
using PixelPool.Benchmarks.Metering;
using PixelPool.Benchmarks.Peers;
using PixelPool.Benchmarks.Tables;

namespace PixelPool.Benchmarks;

[Page(
    "The tail of an image",
    """
    The last block of an image is rarely full. Here an image uses one full block and 100 KiB of a second one, and both go back to the
    system when it is returned. *Held* is the resident memory that the image takes meanwhile: a huge page comes with one fault, and is
    larger than the tail.
    """)]
public class BlockTails
{
    private const int TailBytes = 100 << 10;
    private const int PixelReferences = 16;

    private Func<Action>? _hold;

    [GlobalSetup]
    public void Setup() => NativeBytes.Watch(Pool.Allocator);

    [Benchmark(Baseline = true, Description = "PixelBuffer and Trim")]
    public void PixelBuffer()
    {
        Hold(HoldImage)();
        Pool.Allocator.Trim();
    }

    [Benchmark(Description = "NativeMemory.Alloc, both in one")]
    public void NativeAlloc() => Hold(HoldNative)();

    [Benchmark(Description = "uninitialised array, both in one")]
    public void UninitializedArray() => Hold(HoldArray)();

    [Benchmark(Description = "mappings, huge pages, munmap")]
    public void HugeTail() => Hold(HoldHugeTail)();

    [Benchmark(Description = "mappings, huge pages, tail in 4 KiB pages, munmap")]
    public void SmallPageTail() => Hold(HoldSmallPageTail)();

    /// <summary>
    /// After the measured rounds: holds some, which takes what an allocator kept, and looks at what more of them do to the memory of the process.
    /// </summary>
    [GlobalCleanup]
    public void MeasureHeld()
    {
        List<Action> releases = [];
        HoldMore();
        long before = ResidentMemory.Current();
        HoldMore();
        RunMeter.Report(Figure.HeldBytes.Id, (double)(ResidentMemory.Current() - before) / PixelReferences);
        releases.ForEach(release => release());

        void HoldMore()
        {
            for (int i = 0; i < PixelReferences; i++)
            {
                releases.Add(_hold!());
            }
        }
    }

    private Action Hold(Func<Action> hold)
    {
        _hold = hold;
        return hold();
    }

    private static Action HoldImage()
    {
        PixelBuffer<byte> image = Pool.Allocator.Rent<byte>(Pages.Bytes, (Pool.BlockBytes + TailBytes) / Pages.Bytes);
        image.ProcessPixelRows(Pages.TouchRows);
        return image.Dispose;
    }

    private static Action HoldNative() => HoldRental<NativeRental>();

    private static Action HoldArray() => HoldRental<UninitializedArrayRental>();

    private static Action HoldHugeTail() => HoldMappings(hugeTail: true);

    private static Action HoldSmallPageTail() => HoldMappings(hugeTail: false);

    private static Action HoldRental<TRental>()
        where TRental : struct, IRental<TRental>
    {
        TRental rental = TRental.Rent(Pool.BlockBytes + TailBytes);
        rental.Touch(Pool.BlockBytes + TailBytes);
        return rental.Return;
    }

    private static Action HoldMappings(bool hugeTail)
    {
        var full = Mapping.Create(Pool.BlockBytes, hugePages: true);
        var tail = Mapping.Create(Pool.BlockBytes, hugeTail);
        Pages.Touch(full.Memory);
        Pages.Touch(tail.Memory[..TailBytes]);
        return () =>
        {
            full.Unmap();
            tail.Unmap();
        };
    }
}
