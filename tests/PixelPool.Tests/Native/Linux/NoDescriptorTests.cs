using System.Reflection;
using System.Runtime.InteropServices;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Native.Linux;

/// <summary>A process that can open no file any more, as a server that has all of its connections, uses PixelPool for the first time. It works.</summary>
public sealed class NoDescriptorTests
{
    // A value of <sys/resource.h>.
    private const int Files = 7;

    // The library for .NET Standard loads an assembly beside it when it is used first, which is a file.
    [Fact]
    [Trait("Library", "Net10")]
    public void First_use_works()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && IntPtr.Size == 8, "the system calls are those of Linux");
        ChildProcess.Run(UseWithoutFiles);
    }

    private static void UseWithoutFiles()
    {
        // The runtime remembers an assembly that it could not load.
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "System*.dll"))
        {
            _ = Record.Exception(() => Assembly.Load(AssemblyName.GetAssemblyName(file)));
        }

        _ = typeof(PixelAllocator).Assembly;

        var limit = default(Limit);
        Assert.Equal(0, GetLimit(Files, ref limit));
        var none = limit with { Soft = 1 };
        Assert.Equal(0, SetLimit(Files, ref none));
        Exception? failure = Record.Exception(Use);
        Exception? unopened = Record.Exception(static () => File.OpenRead("/proc/self/status").Dispose());
        Assert.Equal(0, SetLimit(Files, ref limit));
        Assert.IsType<IOException>(unopened);
        Assert.Null(failure);
        Use();
    }

    private static void Use()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 64 << 20, LeakTracking = LeakTracking.Full, RentTimeout = TimeSpan.FromMilliseconds(1) });
        using (PixelBuffer<byte> image = allocator.Rent<byte>(4096, 8192))
        using (var stream = new PixelPoolStream(allocator))
        {
            image.Fill(3);
            stream.Write(new byte[100]);
            stream.GetMemory(5 << 20).Span.Fill(1);
            stream.Advance(5 << 20);
            Assert.Throws<PixelBudgetExceededException>(() => allocator.Rent<byte>(4096, 8192));
            Assert.NotEmpty(allocator.GetOutstandingRents().Select(static rent => rent.ToString()));
        }

        allocator.Rent<byte>(4096, 4096, AllocationOptions.Contiguous).Dispose();
        Assert.True(allocator.Trim() > 0);
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes));
    }

    [DllImport("libc", EntryPoint = "getrlimit")]
    private static extern int GetLimit(int resource, ref Limit limit);

    [DllImport("libc", EntryPoint = "setrlimit")]
    private static extern int SetLimit(int resource, ref Limit limit);

    [StructLayout(LayoutKind.Sequential)]
    private record struct Limit(ulong Soft, ulong Hard);
}
