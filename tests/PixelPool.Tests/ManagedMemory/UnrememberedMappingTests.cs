using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>Pages that were mapped, and no managed memory to remember them.</summary>
[Trait("Category", "Long")]
public sealed class UnrememberedMappingTests
{
    private const int Block = TestSystem.BlockBytes;

    // What is remembered of them is more than the few bytes that exceptions leave in a full heap.
    private const int Blocks = 2000;

    [Fact]
    public void They_go_back()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && IntPtr.Size == 8, "the system calls are those of Linux");
        ChildProcess.Run(MapInFullHeap, FullHeap.Environment);
    }

    private static void MapInFullHeap()
    {
        var heap = new FullHeap();
        var kernel = new FillingKernel(heap);
        var source = new LinuxBlockSource(kernel);
        nint[] blocks = new nint[Blocks];
        Assert.True(TryAllocate(source, blocks));
        Assert.NotEqual(0, kernel.MappedBytes);
        source.ReleaseBlocks(blocks, Block);
        Assert.Equal(0, kernel.MappedBytes);

        kernel.Fills = true;
        bool isAllocated = TryAllocate(source, blocks);
        heap.Release();
        Assert.False(isAllocated);
        Assert.NotEqual(0, kernel.Filled);
        Assert.Equal(0, kernel.MappedBytes);

        kernel.Fills = false;
        Assert.True(TryAllocate(source, blocks));
        source.ReleaseBlocks(blocks, Block);
        Assert.Equal(0, kernel.MappedBytes);
    }

    private static bool TryAllocate(LinuxBlockSource source, nint[] blocks) => source.TryAllocateBlocks(blocks, Block, hugePages: false);

    /// <summary>The real kernel. Once it has mapped, there is no managed memory left.</summary>
    private sealed class FillingKernel(FullHeap heap) : LinuxKernel
    {
        public bool Fills { get; set; }

        /// <summary>How often it has filled it.</summary>
        public int Filled { get; private set; }

        public long MappedBytes { get; private set; }

        public override nint Map(nint bytes)
        {
            nint address = base.Map(bytes);
            MappedBytes += address == 0 ? 0 : bytes;
            if (Fills)
            {
                heap.Fill();
                Filled++;
            }

            return address;
        }

        public override bool TryUnmap(nint address, nint bytes)
        {
            bool isUnmapped = base.TryUnmap(address, bytes);
            MappedBytes -= isUnmapped ? bytes : 0;
            return isUnmapped;
        }
    }
}
