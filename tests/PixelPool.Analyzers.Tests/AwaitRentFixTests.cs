using PixelPool.CodeFixes;

namespace PixelPool.Analyzers.Tests;

public sealed class AwaitRentFixTests() : FixTests(new SynchronousRentAnalyzer(), new AwaitRentFix())
{
    [Fact]
    public Task Rents_are_awaited() => Fixes(
        """
            static async Task M(PixelAllocator allocator)
            {
                using PixelBuffer<byte> a = allocator.Rent<byte>(1, 1, AllocationOptions.Clean);
                using RentScope scope = allocator.ReserveScope(1); // all at once
                Console.WriteLine(allocator.Rent<byte>(1, 1).Width);
                await Task.Yield();
            }
        """,
        """
            static async Task M(PixelAllocator allocator)
            {
                using PixelBuffer<byte> a = await allocator.RentAsync<byte>(1, 1, AllocationOptions.Clean);
                using RentScope scope = await allocator.ReserveScopeAsync(1); // all at once
                Console.WriteLine((await allocator.RentAsync<byte>(1, 1)).Width);
                await Task.Yield();
            }
        """);
}
