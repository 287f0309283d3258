using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Guarded;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse;

#pragma warning disable PXP001, PXP003, PXP005 // The mistakes are what is tested.

/// <summary>
/// With guarded rents, an address that is kept from any handle ends the process where it is used after the last handle has ended, or behind the last byte. Images are tried in
/// <see cref="CaughtMistakeTests"/>.
/// </summary>
[Trait("Category", "Long")]
public sealed unsafe class GuardedHandleTests
{
    // Of signals 6 and 11: the runtime gives up, or cannot even do that.
    private static readonly int[] s_crashes = [134, 139];

    private static readonly Dictionary<string, Func<PixelAllocator, nint>> s_ended = new()
    {
        ["lease that was returned twice"] = static allocator =>
        {
            PixelLease<byte> lease = allocator.Lease<byte>(100, 100);
            nint address = lease.DangerousGetAddress();
            lease.Dispose();
            ((IDisposable)lease).Dispose();
            return address;
        },
        ["pin after its image"] = static allocator =>
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
            PinnedPixels pin = image.Pin();
            nint address = pin.Address;
            image.Dispose();
            *(byte*)address = 1;
            pin.Dispose();
            return address;
        },
        ["row of a view"] = static allocator =>
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
            PixelBuffer<byte> view = image.View(10, 10, 20, 20);
            fixed (byte* row = view.DangerousGetRowSpan(5))
            {
                image.Dispose();
                *row = 1;
                view.Dispose();
                return (nint)row;
            }
        },
        ["handle of memory"] = static allocator =>
        {
            IMemoryOwner<byte> owner = allocator.Allocate<byte>(10_000);
            MemoryHandle handle = owner.Memory.Pin();
            nint address = (nint)handle.Pointer;
            owner.Dispose();
            *(byte*)address = 1;
            handle.Dispose();
            return address;
        },
        ["native code that released"] = static allocator =>
        {
            using PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
            NativePixels native = image.Pin().GiveToNative();
            image.Dispose();
            *(byte*)native.Address = 1;
            native.Release();
            native.Release();
            return native.Address;
        },
        ["scope that ended"] = static allocator =>
        {
            using var scope = new RentScope(allocator);
            return scope.Lease<byte>(100, 100).DangerousGetAddress();
        },
        ["planes that ended"] = static allocator =>
        {
            using PlanarLease planes = allocator.LeasePlanar(PlanarLayout.Yuv420(100, 100));
            return planes.GetPlane(2).DangerousGetAddress();
        },
        ["delegate that disposed its image"] = static allocator =>
        {
            PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
            return image.ProcessPixelRows(rows =>
            {
                image.Dispose();
                fixed (byte* row = rows.GetRowSpan(50))
                {
                    *row = 1;
                    return (nint)row;
                }
            });
        },
        ["first byte behind the last plane"] = static allocator =>
        {
            PlanarLayout layout = PlanarLayout.Yuv420(100, 100);
            return allocator.LeasePlanar(layout).DangerousGetAddress() + (nint)layout.Bytes;
        },
        ["first byte behind a view at the end"] = static allocator =>
        {
            PixelLease<byte> last = allocator.Lease<byte>(100, 100).View(90, 99, 10, 1);
            *(byte*)(last.DangerousGetAddress() + 9) = 1;
            return last.DangerousGetAddress() + 10;
        },
        ["first byte behind an owner"] = static allocator =>
        {
            MemoryHandle handle = allocator.Allocate<byte>(3000).Memory.Pin();
            return (nint)handle.Pointer + 3000;
        },
    };

    public static TheoryData<string> Ended => [.. s_ended.Keys];

    [Theory]
    [MemberData(nameof(Ended))]
    public void Its_address_ends_the_process(string handle)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "exit codes are those of Linux");
        ChildProcessResult result = ChildProcess.RunToEnd(Make, [handle], ["DOTNET_DbgEnableMiniDump=0"], TimeSpan.FromMinutes(2));
        Assert.Contains(result.ExitCode, s_crashes);
        Assert.Contains("It is still here.", result.Output, StringComparison.Ordinal);
        Assert.Contains($"{nameof(GuardedHandleTests)}.{nameof(Write)}", result.Error, StringComparison.Ordinal);
    }

    /// <summary>What was written a moment before it ended is seen by nobody: not by the next rents, which have other addresses.</summary>
    [Fact]
    public void Its_memory_is_not_the_next_ones()
    {
        GuardedSystem.SkipElsewhere();
        using PixelAllocator allocator = Create();
        var addresses = new HashSet<nint>();
        for (int i = 0; i < 60; i++)
        {
            using PixelLease<byte> lease = allocator.Lease<byte>(100, 100);
            Assert.True(addresses.Add(lease.DangerousGetAddress()), "An address was given out twice in a row.");
            Assert.True(RentedHandle.Of(lease).Holds!(0), "It has pixels of others.");
            lease.Fill(0x77);
            ((IDisposable)lease).Dispose();
            ((IDisposable)lease).Dispose();
        }

        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.LeakedCount));
    }

    private static void Make(string[] arguments)
    {
        PixelAllocator allocator = Create();
        nint address = s_ended[arguments[0]](allocator);
        Console.WriteLine("It is still here.");
        Console.Out.Flush();
        Write(address);
        Console.WriteLine(allocator.Name);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Write(nint address) => *(byte*)address = 1;

    private static PixelAllocator Create() => PixelAllocator.Create(new PixelAllocatorOptions { GuardedRentSampling = 1, TrimPolicy = TrimPolicy.None });
}
