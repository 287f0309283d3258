using System.Runtime.InteropServices;
using PixelPool.Native;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>A system that says that it let pages go, and kept them, as qemu-user before 7.2: clean memory is clean there, too.</summary>
[Trait("Category", "Long")]
public unsafe partial class KeptPagesTests
{
    private const int Block = 1 << 20;

    [Fact]
    public void Clean_memory_is_clean_where_pages_are_kept_in_silence()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture == Architecture.X64, "the numbers of system calls are those of x64");
        ChildProcess.Run(RentCleanMemory);
    }

    private static void RentCleanMemory()
    {
        KeepPages();
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            BlockBytes = Block,
            SmallBuffers = SmallBufferStrategy.None,
            TrimPolicy = TrimPolicy.None,
            BlockSource = new LinuxBlockSource(new LinuxKernel()),
        });

        // With room for the others.
        using PixelBuffer<byte> held = allocator.Rent<byte>(Block, 9);
        using PixelBuffer<byte> more = allocator.Rent<byte>(Block, 1);
        for (int round = 0; round < 3; round++)
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(Block, 4);

            // Stays, and with it the region.
            using PixelBuffer<byte> neighbour = allocator.Rent<byte>(Block, 2);
            image.Fill(0xAB);
            image.Dispose();
            allocator.Trim();
            using PixelBuffer<byte> clean = allocator.Rent<byte>(Block, 4, AllocationOptions.Clean);
            clean.ProcessPixelRows(static rows =>
            {
                foreach (Span<byte> row in rows)
                {
                    Assert.Equal(-1, row.IndexOfAnyExcept((byte)0));
                }
            });
        }
    }

    // A filter of this thread and those that it starts: madvise with MADV_DONTNEED returns 0, and does nothing. The structures are those of <linux/filter.h> and <linux/seccomp.h>: 0x20 loads, 0x15 compares, 0x06 returns.
    private static void KeepPages()
    {
        const int SetNoNewPrivileges = 38;
        const nint Seccomp = 317;
        Instruction* filter = stackalloc Instruction[]
        {
            new(0x20, 0, 0, 0), new(0x15, 0, 3, 28), new(0x20, 0, 0, 32), new(0x15, 0, 1, 4), new(0x06, 0, 0, 0x0005_0000), new(0x06, 0, 0, 0x7FFF_0000),
        };
        var program = new FilterProgram(6, filter);
        Assert.Equal((0, (nint)0), (prctl(SetNoNewPrivileges, 1, 0, 0, 0), syscall(Seccomp, 1, 0, &program)));
    }

    [LibraryImport("libc")]
    private static partial int prctl(int option, nint second, nint third, nint fourth, nint fifth);

    [LibraryImport("libc")]
    private static partial nint syscall(nint number, nint first, nint second, FilterProgram* third);

    private readonly record struct Instruction(ushort Code, byte IfTrue, byte IfFalse, uint Operand);

    private readonly struct FilterProgram(ushort length, Instruction* filter)
    {
#pragma warning disable IDE0052, CA1823 // the kernel reads them
        private readonly ushort _length = length;
        private readonly Instruction* _filter = filter;
#pragma warning restore IDE0052, CA1823
    }
}
