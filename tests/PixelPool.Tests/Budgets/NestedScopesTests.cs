using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Scopes are opened in one another, and none is disposed: that is an error, and not the end of the stack when the outermost one ends.</summary>
public sealed class NestedScopesTests
{
    private const int Block = TestSystem.BlockBytes;
    private const int StackBytes = 256 << 10;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task As_deep_as_they_may_be(bool reserves)
    {
        using var system = new TestSystem();
        using PixelAllocator allocator = system.CreateAllocator(configure: static options => options.MaxRentedBytes = 4 * Block);
        RentScope outermost = allocator.CreateScope(2 * Block);
        RentScope innermost = outermost;
        int depth = 1;
        InvalidMemoryOperationException error;
        while (true)
        {
            try
            {
                innermost = reserves ? innermost.ReserveScope(Block) : innermost.CreateScope(Block);
                Assert.InRange(++depth, 2, 1000);
            }
            catch (InvalidMemoryOperationException e)
            {
                error = e;
                break;
            }
        }

        Assert.Equal("Scopes cannot lie in one another more than 256 deep. Dispose those that have ended.", error.Message);
        await Assert.ThrowsAsync<InvalidMemoryOperationException>(async () => await innermost.ReserveScopeAsync(1, TestContext.Current.CancellationToken));
        OnShortStack(() =>
        {
            innermost.Rent<byte>(10, 10);
            Assert.Throws<PixelBudgetExceededException>(() => innermost.Rent<byte>(Block, 1));
            Assert.Throws<PixelBudgetExceededException>(() => innermost.Rent<byte>(Block, 3));
            outermost.Dispose();
        });
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Assert.Equal((256, 0L, 0L, 0L), (depth, statistics.RentedBytes, statistics.ChargedBytes, statistics.LeakedCount));
    }

    private static void OnShortStack(Action act)
    {
        Exception? thrown = null;
        var thread = new Thread(() => thrown = Record.Exception(act), StackBytes);
        thread.Start();
        thread.Join();
        Assert.Null(thrown);
    }
}
