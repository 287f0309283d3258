namespace Imaging.Tests;

public class WorkersTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void What_fails_is_thrown_as_it_is_whatever_the_number_of_threads(int parallelism)
    {
        static void Fail(int item) => throw new IOException("The disk is full.");
        Assert.Throws<IOException>(() => Workers.Process([1, 2, 3], parallelism, CancellationToken.None, Fail));
    }
}
