using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

public sealed class KernelFileTests : IDisposable
{
    private readonly string _path = Path.GetTempFileName();

    public void Dispose() => File.Delete(_path);

    [Theory]
    [InlineData("MemTotal: 5 kB\n", true)]
    [InlineData("\nMemTotal: 5 kB\n", true)]
    [InlineData("MemFree: 1 kB\nMemTotal:5", true)]
    [InlineData("xMemTotal: 5 kB\n", false)]
    public void Number_is_found_in_the_line_that_its_key_begins(string text, bool found)
    {
        File.WriteAllText(_path, text);
        KernelFile file = KernelFile.TryOpen(_path)!;
        Assert.Equal((found, found ? 5 : 0), (file.TryReadNumber("MemTotal:"u8, out long number), number));
    }

    [Fact]
    public void File_that_cannot_be_opened_is_none()
    {
        using (new FileStream(_path, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            Assert.Null(KernelFile.TryOpen(_path));
        }

        Assert.Null(KernelFile.TryOpen(_path + ".gone"));
        Assert.NotNull(KernelFile.TryOpen(_path));
    }

    [Fact]
    public void File_that_can_be_opened_but_not_read_says_nothing()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The file is Linux's: the process' own memory, of which nothing is mapped where it is read.");
        KernelFile file = KernelFile.TryOpen("/proc/self/mem")!;
        Assert.Equal((false, 0), (file.TryReadNumber(out long number), number));
    }
}
