using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Streams;

/// <summary>Every member of a stream, in every form, with common and with wrong arguments.</summary>
internal static class StreamCalls
{
    private const int Many = (3 * TestSystem.BlockBytes) + 7;

    private static readonly CancellationToken s_cancelled = new(canceled: true);

    private static readonly StreamCall[] s_all = [.. Looks(), .. Moves(), .. Reads(), .. Writes(), .. Copies(), .. Flushes(), .. WrongRanges(), .. Ends()];

    public static IEnumerable<string> Names => s_all.Select(static call => call.Name);

    public static StreamCall Of(string name) => s_all.Single(call => call.Name == name);

    private static IEnumerable<StreamCall> Looks() =>
    [
        Look("CanRead", static stream => stream.CanRead),
        Look("CanSeek", static stream => stream.CanSeek),
        Look("CanWrite", static stream => stream.CanWrite),
        Look("CanTimeout", static stream => stream.CanTimeout),
        Look("ReadTimeout", static stream => stream.ReadTimeout),
        Look("WriteTimeout", static stream => stream.WriteTimeout),
        Look("Length", static stream => stream.Length),
        Look("Position", static stream => stream.Position),
        Look("Position = -1", static stream => stream.Position = -1),
        Look("Seek before the start", static stream => stream.Seek(-1, SeekOrigin.Begin)),
        Look("Seek far before the end", static stream => stream.Seek(long.MinValue, SeekOrigin.End)),
        Look("Seek from nowhere", static stream => stream.Seek(0, (SeekOrigin)3)),
        Look("SetLength(-1)", static stream => Returns(() => stream.SetLength(-1))),
    ];

    private static IEnumerable<StreamCall> Moves() =>
    [
        Use("Position = Position", static stream => stream.Position = stream.Position),
        Use("Position = 0", static stream => stream.Position = 0),
        Use("Position = 7 before the end", static stream => stream.Position = Math.Max(0, stream.Length - 7)),
        Use("Position = 9 behind the end", static stream => stream.Position = stream.Length + 9),
        Use("Seek(5, Begin)", static stream => stream.Seek(5, SeekOrigin.Begin)),
        Use("Seek(0, Current)", static stream => stream.Seek(0, SeekOrigin.Current)),
        Use("Seek(1, Current)", static stream => stream.Seek(1, SeekOrigin.Current)),
        Use("Seek(0, End)", static stream => stream.Seek(0, SeekOrigin.End)),
        Use("Seek(12, End)", static stream => stream.Seek(12, SeekOrigin.End)),
        Use("SetLength(Length)", static stream => Returns(() => stream.SetLength(stream.Length))),
        Use("SetLength(Length / 2)", static stream => Returns(() => stream.SetLength(stream.Length / 2))),
        Use("SetLength(Length + 9)", static stream => Returns(() => stream.SetLength(stream.Length + 9))),
        Use("SetLength(Length + many)", static stream => Returns(() => stream.SetLength(stream.Length + Many))),
        Use("SetLength(0) and back", static stream => Returns(() =>
        {
            long length = stream.Length;
            stream.SetLength(0);
            stream.SetLength(length);
        })),
    ];

    private static IEnumerable<StreamCall> Reads() =>
    [
        .. from form in Enum.GetValues<TransferForm>() from count in (int[])[0, 10, Many] select UseAsync($"Read {count}, {form}", stream => ReadAsync(stream, form, count)),
        Use("ReadByte", static stream => stream.ReadByte()),
        new("ReadAsync of an array, cancelled", static async stream => await stream.ReadAsync(new byte[4], 0, 4, s_cancelled), EndsWhatIsLent: false),
        new("ReadAsync of memory, cancelled", static async stream => await stream.ReadAsync(new byte[4].AsMemory(), s_cancelled), EndsWhatIsLent: false),
    ];

    private static IEnumerable<StreamCall> Writes() =>
    [
        .. from form in Enum.GetValues<TransferForm>() from count in (int[])[0, 10, Many] select UseAsync($"Write {count}, {form}", stream => WriteAsync(stream, form, count)),
        Use("WriteByte", static stream => Returns(() => stream.WriteByte(77))),
        Use("Write to lent memory", static stream => Returns(() => WriteToLent(stream, 10))),
        Use("Write many to lent memory", static stream => Returns(() => WriteToLent(stream, Many))),
        new("WriteAsync of an array, cancelled", static stream => Finish(stream.WriteAsync(new byte[4], 0, 4, s_cancelled)), EndsWhatIsLent: false),
        new("WriteAsync of memory, cancelled", static stream => Finish(stream.WriteAsync(new byte[4].AsMemory(), s_cancelled).AsTask()), EndsWhatIsLent: false),
    ];

    private static IEnumerable<StreamCall> Copies() =>
    [
        UseAsync("CopyTo", static stream => Copied(destination =>
        {
            stream.CopyTo(destination);
            return Task.CompletedTask;
        })),
        UseAsync("CopyToAsync", static stream => Copied(destination => stream.CopyToAsync(destination, TestContext.Current.CancellationToken))),
#if !LIBRARY_NETSTANDARD
        // There it is the base library's.
        Use("CopyTo itself", static stream => Returns(() => stream.CopyTo(stream))),
        UseAsync("CopyToAsync itself", static stream => Finish(stream.CopyToAsync(stream, TestContext.Current.CancellationToken))),
#endif
        Look("CopyTo nothing", static stream => Returns(() => stream.CopyTo(null!))),
        Look("CopyTo with an empty buffer", static stream => Returns(() => stream.CopyTo(new MemoryStream(), 0))),
        Look("CopyTo what was disposed", static stream => Returns(() => stream.CopyTo(Disposed(), 4096))),
        Look("CopyTo what cannot be written to", static stream => Returns(() => stream.CopyTo(ReadOnly(), 4096))),
        LookAsync("CopyToAsync nothing", static stream => stream.CopyToAsync(null!)),
        LookAsync("CopyToAsync with an empty buffer", static stream => stream.CopyToAsync(new MemoryStream(), 0)),
        LookAsync("CopyToAsync with less than a buffer", static stream => stream.CopyToAsync(new MemoryStream(), -1, s_cancelled)),
        LookAsync("CopyToAsync what was disposed", static stream => stream.CopyToAsync(Disposed(), 4096)),
        LookAsync("CopyToAsync what cannot be written to", static stream => stream.CopyToAsync(ReadOnly(), 4096)),
        LookAsync("CopyToAsync, cancelled", static stream => stream.CopyToAsync(new MemoryStream(), 4096, s_cancelled)),
    ];

    private static IEnumerable<StreamCall> Flushes() =>
    [
        Look("Flush", static stream => Returns(stream.Flush)),
        LookAsync("FlushAsync", static stream => stream.FlushAsync(TestContext.Current.CancellationToken)),
        LookAsync("FlushAsync, cancelled", static stream => stream.FlushAsync(s_cancelled)),
    ];

    // Nothing happens, so nothing ends.
    private static IEnumerable<StreamCall> WrongRanges() =>
        from form in Transfers.OfArrays
        from range in ((byte[]? Array, int Offset, int Count)[])[(null, 0, 0), (new byte[3], -1, 1), (new byte[3], 1, -1), (new byte[3], 2, 2), (new byte[3], 4, 0), (new byte[3], 1, int.MaxValue)]
        from call in (StreamCall[])
        [
            LookAsync($"Read {range.Offset}, {range.Count} of {range.Array?.Length ?? -1}, {form}", stream => stream.ReadAsync(form, range.Array!, range.Offset, range.Count)),
            LookAsync($"Write {range.Offset}, {range.Count} of {range.Array?.Length ?? -1}, {form}", stream => stream.WriteAsync(form, range.Array!, range.Offset, range.Count)),
        ]
        select call;

    private static IEnumerable<StreamCall> Ends() =>
    [
        Use("Dispose", static stream => Returns(stream.Dispose)),
        Use("Close", static stream => Returns(stream.Close)),
        UseAsync("DisposeAsync", static async stream =>
        {
            await stream.DisposeAsync();
            return null;
        }),
    ];

    private static StreamCall Look(string name, Func<Stream, object?> run) => new(name, stream => Task.FromResult(run(stream)), EndsWhatIsLent: false);

    private static StreamCall LookAsync(string name, Func<Stream, Task> run) => new(name, stream => Finish(run(stream)), EndsWhatIsLent: false);

    private static StreamCall Use(string name, Func<Stream, object?> run) => new(name, stream => Task.FromResult(run(stream)), EndsWhatIsLent: true);

    private static StreamCall UseAsync(string name, Func<Stream, Task<object?>> run) => new(name, run, EndsWhatIsLent: true);

    private static object? Returns(Action action)
    {
        action();
        return null;
    }

    private static async Task<object?> Finish(Task task)
    {
        await task;
        return null;
    }

    private static async Task<object?> ReadAsync(Stream stream, TransferForm form, int count)
    {
        byte[] buffer = new byte[count + 4];
        int read = await stream.ReadAsync(form, buffer, 2, count);
        Assert.Equal(new byte[2], buffer[..2]);
        Assert.Equal(new byte[count - read + 2], buffer[(read + 2)..]);
        return buffer[2..(read + 2)];
    }

    private static async Task<object?> WriteAsync(Stream stream, TransferForm form, int count)
    {
        byte[] bytes = new byte[count + 4];
        new Random(count).NextBytes(bytes);
        await stream.WriteAsync(form, bytes, 3, count);
        return null;
    }

    private static void WriteToLent(Stream stream, int count)
    {
        byte[] bytes = new byte[count];
        new Random(count).NextBytes(bytes);
        if (stream is IBufferWriter<byte> writer)
        {
            bytes.CopyTo(writer.GetSpan(count));
            writer.Advance(count);
        }
        else
        {
            stream.Write(bytes);
        }
    }

    private static async Task<object?> Copied(Func<MemoryStream, Task> copy)
    {
        using var destination = new MemoryStream();
        await copy(destination);
        return destination.ToArray();
    }

    private static MemoryStream Disposed()
    {
        var stream = new MemoryStream();
        stream.Dispose();
        return stream;
    }

    private static MemoryStream ReadOnly() => new(new byte[4], writable: false);
}
