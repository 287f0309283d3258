namespace PixelPool.Tests.Misuse;

/// <summary>Something that is held of an allocator, whatever its type.</summary>
/// <param name="End">Gives it back.</param>
/// <param name="Fill">Sets all bytes that can be reached through it. Null where there are none.</param>
/// <param name="Holds">Whether all of them have a value.</param>
internal sealed record RentedHandle(Action End, Action<byte>? Fill = null, Func<byte, bool>? Holds = null)
{
    public static RentedHandle Of(PixelBuffer<byte> image, Action? end = null) => new(end ?? image.Dispose, image.Fill, value => AllAre(image, value));

    public static RentedHandle Of(PixelLease<byte> lease, Action? end = null) =>
        new(end ?? (() => ((IDisposable)lease).Dispose()), value => lease.Fill(value), value => AllAre(lease, value));

    public static RentedHandle Of(Memory<byte> memory, Action end) =>
        new(end, value => memory.Span.Fill(value), value => memory.Span.IndexOfAnyExcept(value) < 0);

    public static unsafe RentedHandle Of(nint address, int bytes, Action end) => new(
        end,
        value => new Span<byte>((void*)address, bytes).Fill(value),
        value => new Span<byte>((void*)address, bytes).IndexOfAnyExcept(value) < 0);

    private static bool AllAre(PixelBuffer<byte> image, byte value) => image.ProcessPixelRows(value, static (rows, value) => AllAre(rows, value));

    private static bool AllAre(PixelLease<byte> lease, byte value)
    {
        bool all = false;
        lease.ProcessPixelRows(rows => all = AllAre(rows, value));
        return all;
    }

    private static bool AllAre(PixelAccessor<byte> rows, byte value)
    {
        foreach (Span<byte> row in rows)
        {
            if (row.IndexOfAnyExcept(value) >= 0)
            {
                return false;
            }
        }

        return true;
    }
}
