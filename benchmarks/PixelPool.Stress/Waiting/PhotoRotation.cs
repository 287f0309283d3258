namespace PixelPool.Stress.Waiting;

/// <summary>An operation that needs two large images at the same time. Where all hold the first one, none gets the second one.</summary>
internal static class PhotoRotation
{
    private const int Width = 6000;
    private const int Height = 4096;

    public static void Execute(WaitingOperation operation)
    {
        using PixelBuffer<byte> source = Rent(operation.Allocator.Rent<byte>);
        operation.All.ComeAsync().Wait();
        using PixelBuffer<byte> target = Rent(operation.Allocator.Rent<byte>);
    }

    public static void ExecuteReserved(WaitingOperation operation)
    {
        operation.All.ComeAsync().Wait();
        using RentScope scope = operation.Allocator.ReserveScope(2 * HeldBytes(operation));
        Rent(scope.Rent<byte>);
        Rent(scope.Rent<byte>);
    }

    public static async Task ExecuteAsync(WaitingOperation operation)
    {
        using var scope = new RentScope(operation.Allocator);
        await scope.RentAsync<byte>(Width, Height);
        await operation.All.ComeAsync();
        await scope.RentAsync<byte>(Width, Height);
    }

    public static async Task ExecuteReservedAsync(WaitingOperation operation)
    {
        await operation.All.ComeAsync();
        using RentScope scope = await operation.Allocator.ReserveScopeAsync(2 * HeldBytes(operation));
        await scope.RentAsync<byte>(Width, Height);
        await scope.RentAsync<byte>(Width, Height);
    }

    private static long HeldBytes(WaitingOperation operation) => operation.Allocator.GetHeldBytes<byte>(Width, Height);

    private static PixelBuffer<byte> Rent(Func<int, int, AllocationOptions, PixelBuffer<byte>> rent) => rent(Width, Height, AllocationOptions.None);
}
