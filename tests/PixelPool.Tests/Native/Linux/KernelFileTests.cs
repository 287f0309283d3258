using PixelPool.Native;

namespace PixelPool.Tests.Native.Linux;

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
        Assert.Equal(found ? 5 : null, KernelFile.TryReadNumber(_path, "MemTotal:"));
    }

    [Fact]
    public void File_that_cannot_be_opened_says_nothing()
    {
        File.WriteAllText(_path, "5\n");
        using (new FileStream(_path, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
        {
            Assert.Null(KernelFile.TryReadNumber(_path));
        }

        Assert.Null(KernelFile.TryReadNumber(_path + ".gone"));
        Assert.Equal(5, KernelFile.TryReadNumber(_path));
    }

    [Fact]
    public void File_that_can_be_opened_but_not_read_says_nothing()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "The file is Linux's: the process' own memory, of which nothing is mapped where it is read.");
        Assert.Null(KernelFile.TryReadNumber("/proc/self/mem"));
    }
}
