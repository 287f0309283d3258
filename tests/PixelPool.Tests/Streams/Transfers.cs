namespace PixelPool.Tests.Streams;

/// <summary>Reads and writes a stream in any form.</summary>
internal static class Transfers
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>Those that take a range of an array, which may be wrong.</summary>
    public static TransferForm[] OfArrays { get; } = [TransferForm.Array, TransferForm.ArrayAsync, TransferForm.BeginEnd];

    public static Task<int> ReadAsync(this Stream stream, TransferForm form, byte[] buffer, int offset, int count) => form switch
    {
        TransferForm.Span => Task.FromResult(stream.Read(buffer.AsSpan(offset, count))),
        TransferForm.Array => Task.FromResult(stream.Read(buffer, offset, count)),
        TransferForm.ArrayAsync => stream.ReadAsync(buffer, offset, count, Token),
        TransferForm.MemoryAsync => stream.ReadAsync(buffer.AsMemory(offset, count), Token).AsTask(),
        _ => Task.Factory.FromAsync(stream.BeginRead(buffer, offset, count, callback: null, state: null), stream.EndRead),
    };

    public static Task WriteAsync(this Stream stream, TransferForm form, byte[] buffer, int offset, int count)
    {
        switch (form)
        {
            case TransferForm.Span:
                stream.Write(buffer.AsSpan(offset, count));
                return Task.CompletedTask;
            case TransferForm.Array:
                stream.Write(buffer, offset, count);
                return Task.CompletedTask;
            case TransferForm.ArrayAsync:
                return stream.WriteAsync(buffer, offset, count, Token);
            case TransferForm.MemoryAsync:
                return stream.WriteAsync(buffer.AsMemory(offset, count), Token).AsTask();
            default:
                return Task.Factory.FromAsync(stream.BeginWrite(buffer, offset, count, callback: null, state: null), stream.EndWrite);
        }
    }
}
