using System.Collections.Concurrent;
using System.Text.RegularExpressions;
using PixelPool.Diagnostics;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Documentation;

/// <summary>The snippets of <c>docs/memory.md</c>, compiled and run, and what they print. <see cref="SnippetTests"/> compares the code.</summary>
public sealed partial class MemoryPageTests : IDisposable
{
    private static readonly MarkdownPage s_page = new("docs/memory.md");

    private readonly ManualTime _time = new();
    private readonly PixelAllocator _allocator;

    public MemoryPageTests()
    {
        Console.Forget();
        _allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            MaxPooledBytes = 1L << 30, // everything is rented in blocks, whenever a collection comes
            TimeProvider = _time,
            MemoryPressure = new ManualMemoryPressure(),
        });
    }

    public void Dispose() => _allocator.Dispose();

    [Fact]
    public async Task A_container()
    {
        CancellationToken aborted = TestContext.Current.CancellationToken;

        #region docs/memory.md
        using PixelAllocator allocator = PixelAllocator.Create(PixelAllocatorOptions.ForContainer());
        using PixelBuffer<uint> photo = await allocator.RentAsync<uint>(6000, 4000, cancellationToken: aborted);
        #endregion

        Assert.NotNull(allocator.GetStatistics().BudgetBytes);
        Assert.InRange(16 * 4L * photo.Width * photo.Height / (double)(1 << 30), 1.4, 1.45); // "1.4 GiB", 16 of them
    }

    [Theory]
    [InlineData("256 MiB", 256, "96 MiB", 96)]
    [InlineData("512 MiB", 512, "352 MiB", 352)]
    [InlineData("1 GiB", 1024, "768 MiB", 768)]
    [InlineData("4 GiB", 4096, "3 GiB", 3072)]
    public void Budgets_of_containers(string container, long containerMebibytes, string budget, long budgetMebibytes)
    {
        var memory = new ManualMemoryPressure { AvailableBytes = containerMebibytes << 20 };
        Assert.Equal(budgetMebibytes << 20, PixelAllocatorOptions.ForContainer(memory).MaxRentedBytes);
        Assert.True(s_page.HasRow(container, budget), $"the page says something else of {container}");
    }

    [Fact]
    public void Where_the_bytes_are()
    {
        PixelAllocator allocator = _allocator;

        #region docs/memory.md
        PixelPoolStatistics pool = allocator.GetStatistics();
        Console.WriteLine($"resident {Environment.WorkingSet >> 20} MiB, of it rented {pool.RentedBytes >> 20}, idle {pool.IdleBytes >> 20}, "
            + $"managed {GC.GetGCMemoryInfo().TotalCommittedBytes >> 20} as of the last collection");
        #endregion

        Assert.Contains(s_page.Blocks("text"), block => Figures().Replace(block, "0") == Figures().Replace(Console.Lines(1), "0"));
    }

    [Fact]
    public async Task All_at_once()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 37L << 20, MaxPooledBytes = 64L << 20 });

        #region docs/memory.md
        // One request: the file (a block of 4 MiB), the photo (6 blocks), the thumbnail (an array of 256 KiB), and what the decoder takes by itself.
        using RentScope request = await allocator.ReserveScopeAsync(37L << 20);
        request.ChargeExternal(8L << 20);
        Memory<byte> file = request.Allocate<byte>(3_000_000).Memory;
        PixelBuffer<uint> photo = request.Rent<uint>(3000, 2000, AllocationOptions.Contiguous);
        PixelBuffer<uint> thumbnail = request.Rent<uint>(300, 200);
        #endregion

        Assert.Equal((3_000_000, 3000, 300), (file.Length, photo.Width, thumbnail.Width));
        Assert.Equal((8L << 20) + (7L * (4 << 20)) + (256 << 10), request.ChargedBytes);
        Assert.Throws<PixelBudgetExceededException>(() => request.Rent<uint>(600, 400));
        Assert.Equal((37L << 20, 8L << 20), (allocator.GetStatistics().ChargedBytes, allocator.GetStatistics().ExternalBytes));
    }

    [Fact]
    public async Task A_share()
    {
        PixelAllocator allocator = _allocator;

        #region docs/memory.md
        using RentScope tenant = allocator.CreateScope(128L << 20);
        using PixelBuffer<uint> page = await tenant.RentAsync<uint>(2480, 3508);
        #endregion

        Assert.Equal(page.BlockCount * (4L << 20), tenant.ChargedBytes);
    }

    [Fact]
    public void A_long_wait()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions
        {
            Name = "photos",
            MaxRentedBytes = 48 << 20,
            RentTimeout = TimeSpan.FromMinutes(1),
            TimeProvider = _time,
            MemoryPressure = new ManualMemoryPressure(),
        });

        #region docs/memory.md
        allocator.LongWait += static (_, report) => Console.WriteLine(report);
        #endregion

        var store = new PhotoStore(allocator);
        store.Show("beach", [1]);
        store.Show("forest", [1]);
        Exception? refusal = null;
        var third = new Thread(() => refusal = Record.Exception(() => new PhotoStore(allocator).Show("hill", [1])));
        third.Start();

        // When it sleeps it is in line: the clock may move on.
        Assert.True(SpinWait.SpinUntil(() => allocator.GetWaitingRents().Count == 1 && (third.ThreadState & ThreadState.WaitSleepJoin) != 0, TimeSpan.FromMinutes(1)));
        for (int second = 0; second < 5; second++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        AssertShown(Console.Lines(1));
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.True(third.Join(TimeSpan.FromMinutes(1)));
        Assert.IsType<PixelBudgetExceededException>(refusal);
        GC.KeepAlive(store);
    }

    [Fact]
    public void The_hunt()
    {
        PixelAllocator allocator = _allocator;

        #region docs/memory.md
        allocator.Leaked += static (_, leaked) => Console.WriteLine($"forgotten: {leaked.Rent}");
        #endregion

        var store = new PhotoStore(allocator);
        store.Work(_time.Advance);
        Collector.CollectAll();
        AssertShown(Console.Lines(2));

        #region docs/memory.md
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Console.WriteLine($"{statistics.LeakedCount} leaked, {statistics.RentedBytes >> 20} MiB rented");
        #endregion

        AssertShown(Console.Lines(1));

        #region docs/memory.md
        foreach (RentRecord held in allocator.GetOutstandingRents().Take(10))
        {
            Console.WriteLine(held);
        }
        #endregion

        AssertShown(Console.Lines(2));
        store.Close();
    }

    [Fact]
    public void The_test_that_keeps_it_away()
    {
        PixelLeakException error = Assert.Throws<PixelLeakException>(() => Test(_allocator, []));
        string[] lines = error.Message.Split(Environment.NewLine);
        AssertShown(string.Join('\n', lines[..3]));

        static void Test(PixelAllocator allocator, byte[] brokenFile)
        {
            #region docs/memory.md
            using LeakTracker check = allocator.TrackLeaks();
            new PhotoStore(allocator).Check(brokenFile);
            check.AssertNone();
            #endregion
        }
    }

    [Fact]
    public void A_picture()
    {
        PixelAllocator allocator = _allocator;
        string path = Path.GetTempFileName();
        Draw(allocator, path);
        Assert.Contains("one photo", File.ReadAllText(path), StringComparison.Ordinal);
        File.Delete(path);

        static void Draw(PixelAllocator allocator, string path)
        {
            #region docs/memory.md
            using MemoryRecorder recorder = MemoryRecorder.Start(allocator);
            using (PixelBuffer<uint> photo = allocator.Rent<uint>(6000, 4000))
            {
                photo.ProcessPixelRows(static rows => rows.GetRowSpan(0).Fill(0xFF00FF00));
                recorder.Mark("one photo");
            }

            using StreamWriter picture = File.CreateText(path);
            recorder.Stop().WriteSvg(picture);
            #endregion
        }
    }

    // A leak is found when a collection comes: its age is not known beforehand. Where the repository lies does not matter.
    private static void AssertShown(string printed)
    {
        string normal = Ages().Replace(printed.Replace(MarkdownPage.Root().TrimEnd('/', '\\') + Path.DirectorySeparatorChar, string.Empty, StringComparison.Ordinal), "held")
            .Replace('\\', '/');
        Assert.Contains(normal, s_page.Blocks("text").Select(static block => Ages().Replace(block, "held")));
    }

    [GeneratedRegex("held for [0-9.]+ s")]
    private static partial Regex Ages();

    [GeneratedRegex("[0-9]+")]
    private static partial Regex Figures();

    /// <summary>What the snippets write to. Handlers write on the thread pool, so a test waits for the lines.</summary>
    private static class Console
    {
        private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);
        private static BlockingCollection<string> s_lines = [];

        public static void Forget() => s_lines = [];

        public static void WriteLine(object line) => s_lines.Add(line.ToString()!);

        public static string Lines(int count) => string.Join('\n', Enumerable.Range(0, count).Select(static _ => Next()));

        private static string Next()
        {
            Assert.True(s_lines.TryTake(out string? line, s_timeLimit), "nothing was written");
            return line;
        }
    }
}
