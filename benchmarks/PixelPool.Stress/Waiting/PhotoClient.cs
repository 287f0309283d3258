using System.Buffers;

namespace PixelPool.Stress.Waiting;

/// <summary>A request to a service: a file, the photo in it, and its thumbnail.</summary>
internal static class PhotoClient
{
    private const int KiB = 1 << 10;
    private const int MiB = 1 << 20;

    public static async Task ServeAsync(WaitingOperation operation)
    {
        using IMemoryOwner<byte> file = await operation.Allocator.AllocateAsync<byte>(operation.Size(1 * MiB, 10 * MiB));
        await operation.PauseAsync();
        WaitingOperation.Use(file.Memory);
        using IMemoryOwner<byte> photo = await operation.Allocator.AllocateAsync<byte>(operation.Size(24 * MiB, 48 * MiB));
        WaitingOperation.Use(photo.Memory);
        using IMemoryOwner<byte> thumbnail = await operation.Allocator.AllocateAsync<byte>(operation.Size(64 * KiB, 1 * MiB));
        WaitingOperation.Use(thumbnail.Memory);
        await operation.PauseAsync();
    }

    public static async Task ServeInScopeAsync(WaitingOperation operation)
    {
        using var request = new RentScope(operation.Allocator);
        await ServeAsync(operation, request);
    }

    public static async Task ServeReservedAsync(WaitingOperation operation)
    {
        // The photo and the file are whole blocks.
        using RentScope request = await operation.Allocator.ReserveScopeAsync(72 * MiB);
        await ServeAsync(operation, request);
    }

    private static async Task ServeAsync(WaitingOperation operation, RentScope request)
    {
        Memory<byte> file = (await request.AllocateAsync<byte>(operation.Size(1 * MiB, 10 * MiB))).Memory;
        await operation.PauseAsync();
        WaitingOperation.Use(file);
        Memory<byte> photo = (await request.AllocateAsync<byte>(operation.Size(24 * MiB, 48 * MiB))).Memory;
        WaitingOperation.Use(photo);
        Memory<byte> thumbnail = (await request.AllocateAsync<byte>(operation.Size(64 * KiB, 1 * MiB))).Memory;
        WaitingOperation.Use(thumbnail);
        await operation.PauseAsync();
    }
}
