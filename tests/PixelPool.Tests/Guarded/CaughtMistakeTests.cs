using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Diagnostics.Events;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Guarded;

#pragma warning disable PXP001, PXP005 // The mistakes are what is tested.

/// <summary>What a guarded rent finds: some mistakes end the process where they are made, others are told when the image is returned.</summary>
public sealed unsafe class CaughtMistakeTests
{
    // SIGSEGV, and what .NET makes of it: it aborts after it has written the stack.
    private static readonly int[] s_crashes = [134, 139];

    public CaughtMistakeTests() => GuardedSystem.SkipElsewhere();

    public static TheoryData<string> Mistakes => [nameof(WriteBehind), nameof(ReadBehind), nameof(WriteAfterReturn), nameof(ReadAfterReturn), nameof(WriteFarInFront)];

    /// <summary>The stack that the runtime writes names the method that made the mistake.</summary>
    [Theory]
    [MemberData(nameof(Mistakes))]
    public void It_ends_the_process_where_it_is_made(string mistake)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "exit codes are those of Linux");
        ChildProcessResult result = ChildProcess.RunToEnd(Make, [mistake], ["DOTNET_DbgEnableMiniDump=0"], TimeSpan.FromMinutes(2));
        Assert.Contains(result.ExitCode, s_crashes);
        Assert.Contains("AccessViolation", result.Error, StringComparison.Ordinal);
        Assert.Contains($"{nameof(CaughtMistakeTests)}.{mistake}", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(192)]
    public void What_was_written_in_front_of_it_is_told_with_both_lines(int distance)
    {
        using PixelAllocator allocator = Create();
        PixelBuffer<byte> image = RentHere(allocator);
        using (PinnedPixels pin = image.Pin())
        {
            ((byte*)pin.Pointer)[-distance] = 1;
        }

        string message = Assert.Throws<InvalidMemoryOperationException>(() => ReturnHere(image)).Message;
        Assert.Contains(distance == 1 ? "1 byte before" : $"{distance:N0} bytes before", message, StringComparison.Ordinal);
        Assert.Contains(nameof(RentHere), message, StringComparison.Ordinal);
        Assert.Contains(nameof(ReturnHere), message, StringComparison.Ordinal);
        image.Dispose();
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.ChargedBytes, statistics.LeakedCount));
        allocator.Rent<byte>(50, 50).Dispose();
    }

    /// <summary>The mistake leaves the call, and everything else of the scope is returned.</summary>
    [Fact]
    public void Of_a_scope_all_are_returned()
    {
        using PixelAllocator allocator = Create();
        var scope = new RentScope(allocator);
        for (int i = 0; i < 5; i++)
        {
            PixelBuffer<byte> image = scope.Rent<byte>(100, 80);
            scope.Lease<byte>(100, 80);
            if (i is 1 or 3)
            {
                using PinnedPixels pin = image.Pin();
                ((byte*)pin.Pointer)[-7] = 1;
            }
        }

        Exception thrown = Assert.ThrowsAny<Exception>(scope.Dispose);
        Assert.Contains("7 bytes before", thrown.ToString(), StringComparison.Ordinal);
        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().LeakedCount));
    }

    [Fact]
    public void Of_planes_it_is_told_once()
    {
        using PixelAllocator allocator = Create();
        PlanarImage image = allocator.RentPlanar(PlanarLayout.Yuv420(100, 20));
        using (PinnedPixels pin = image.Pin())
        {
            ((byte*)pin.Pointer)[-7] = 1;
        }

        Assert.Throws<InvalidMemoryOperationException>(image.Dispose);
        image.Dispose();
        Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().LeakedCount));
    }

    [Fact]
    public void Of_a_forgotten_image_the_event_source_tells_it()
    {
        const string Name = nameof(Of_a_forgotten_image_the_event_source_tells_it);
        using var events = new EventRecorder(Name);
        events.Enable(EventLevel.Error);
        using PixelAllocator allocator = Create(Name);
        Forget(allocator);
        for (int i = 0; i < 50 && allocator.GetStatistics().LeakedCount == 0; i++)
        {
            Collector.CollectAll();
        }

        Assert.Equal((1L, 0L), (allocator.GetStatistics().LeakedCount, allocator.GetStatistics().RentedBytes));
        Assert.Contains(events.Lines, static line => line.Contains("5 bytes before", StringComparison.Ordinal) && line.Contains(nameof(Forget), StringComparison.Ordinal));
    }

    private static void Make(string[] arguments)
    {
        PixelAllocator allocator = Create();
        PixelBuffer<byte> image = allocator.Rent<byte>(100, 100);
        byte* pixels;
        using (PinnedPixels pin = image.Pin())
        {
            pixels = (byte*)pin.Pointer;
        }

        pixels[0] = pixels[9999] = 1;
        switch (arguments[0])
        {
            case nameof(WriteBehind):
                WriteBehind(pixels);
                break;
            case nameof(ReadBehind):
                ReadBehind(pixels);
                break;
            case nameof(WriteFarInFront):
                WriteFarInFront(pixels);
                break;
            case nameof(WriteAfterReturn):
                image.Dispose();
                WriteAfterReturn(pixels);
                break;
            case nameof(ReadAfterReturn):
                image.Dispose();
                ReadAfterReturn(pixels);
                break;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteBehind(byte* pixels) => pixels[10_000] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadBehind(byte* pixels) => Console.WriteLine(Volatile.Read(ref pixels[10_000]));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteFarInFront(byte* pixels) => pixels[-4096] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteAfterReturn(byte* pixels) => pixels[5000] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadAfterReturn(byte* pixels) => Console.WriteLine(Volatile.Read(ref pixels[5000]));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static PixelBuffer<byte> RentHere(PixelAllocator allocator) => allocator.Rent<byte>(100, 80);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnHere(PixelBuffer<byte> image) => image.Dispose();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(PixelAllocator allocator)
    {
        PixelBuffer<byte> image = allocator.Rent<byte>(100, 80);
        image.DangerousGetRowSpan(0).Fill(2);
        using PinnedPixels pin = image.Pin();
        ((byte*)pin.Pointer)[-5] = 1;
    }

    private static PixelAllocator Create(string? name = null) =>
        PixelAllocator.Create(new PixelAllocatorOptions { GuardedRentSampling = 1, TrimPolicy = TrimPolicy.None, Name = name });
}
