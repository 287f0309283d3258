using System.Buffers;

namespace PixelPool.Stress.Waiting;

/// <summary>Loads a photo, resizes and encodes it, with the buffers that an imaging library rents for that, in its order.</summary>
internal static class PhotoLoad
{
    private const int KiB = 1 << 10;
    private const int MiB = 1 << 20;
    private const int SmallestBytes = 2 * KiB;
    private const int SmallBytes = 64 * KiB;
    private const int Tables = 6;
    private const int Bands = 64;

    public static void Execute(WaitingOperation operation)
    {
        using IMemoryOwner<byte> photo = Decode(operation, out IMemoryOwner<byte> file);
        file.Dispose();
        using IMemoryOwner<byte> thumbnail = Resize(operation, photo);
        photo.Dispose();
        using IMemoryOwner<byte> output = operation.Allocator.Allocate<byte>(operation.Size(SmallestBytes, SmallBytes));
        WorkInBands(operation, thumbnail);
    }

    private static IMemoryOwner<byte> Decode(WaitingOperation operation, out IMemoryOwner<byte> file)
    {
        file = operation.Allocator.Allocate<byte>(SmallBytes);
        IMemoryOwner<byte>[] tables = [.. Enumerable.Range(0, Tables).Select(_ => operation.Allocator.Allocate<byte>(operation.Size(SmallestBytes, SmallBytes)))];
        IMemoryOwner<byte> rows = operation.Allocator.Allocate<byte>(operation.Size(256 * KiB, 1 * MiB));
        IMemoryOwner<byte> photo = operation.Allocator.Allocate<byte>(operation.Size(24 * MiB, 48 * MiB));
        WorkInBands(operation, photo);
        rows.Dispose();
        Array.ForEach(tables, static table => table.Dispose());
        return photo;
    }

    private static IMemoryOwner<byte> Resize(WaitingOperation operation, IMemoryOwner<byte> photo)
    {
        using IMemoryOwner<byte> horizontal = operation.Allocator.Allocate<byte>(operation.Size(SmallestBytes, SmallBytes));
        using IMemoryOwner<byte> vertical = operation.Allocator.Allocate<byte>(operation.Size(SmallestBytes, SmallBytes));
        IMemoryOwner<byte> thumbnail = operation.Allocator.Allocate<byte>(operation.Size(SmallBytes, 512 * KiB));
        using IMemoryOwner<byte> window = operation.Allocator.Allocate<byte>(operation.Size(256 * KiB, 1 * MiB));
        WorkInBands(operation, photo);
        WorkInBands(operation, thumbnail);
        return thumbnail;
    }

    // A small buffer for each band of rows.
    private static void WorkInBands(WaitingOperation operation, IMemoryOwner<byte> image)
    {
        int bandBytes = image.Memory.Length / Bands;
        for (int i = 0; i < Bands; i++)
        {
            using IMemoryOwner<byte> row = operation.Allocator.Allocate<byte>(operation.Size(SmallestBytes, SmallBytes));
            WaitingOperation.Use(row.Memory);
            WaitingOperation.Use(image.Memory.Slice(i * bandBytes, bandBytes));
        }
    }
}
