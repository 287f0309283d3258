using System.Buffers.Text;
#if NET
using Microsoft.Win32.SafeHandles;
#else
using PixelPool.Threading;
#endif

namespace PixelPool.Trimming;

/// <summary>
/// A file of /proc or /sys that is opened once and read from its start whenever its figures are wanted: about a microsecond, nothing allocated.
/// Thread-safe. It stays open as long as its owner lives; the handle's own finalizer closes it, unless it is disposed before.
/// </summary>
internal sealed class KernelFile : IDisposable
{
    // Enough for the longest of them, memory.stat; what would not fit is not looked for.
    private const int MaxBytes = 8192;

#if NET
    private readonly SafeFileHandle _file;

    private KernelFile(string path) => _file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);

    private int Read(Span<byte> text) => RandomAccess.Read(_file, text, fileOffset: 0);
#else
    private readonly FileStream _file;
    private readonly byte[] _text = new byte[MaxBytes];
    private readonly UninterruptibleLock _gate = new();

    private KernelFile(string path) => _file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 1);

    private int Read(Span<byte> text)
    {
        using (_gate.Hold())
        {
            _file.Position = 0;
            int count = _file.Read(_text, 0, Math.Min(_text.Length, text.Length));
            _text.AsSpan(0, count).CopyTo(text);
            return count;
        }
    }
#endif

    /// <summary>Closes it. Nobody reads any more.</summary>
    public void Dispose() => _file.Dispose();

    /// <returns>Null when the file cannot be opened.</returns>
    public static KernelFile? TryOpen(string path)
    {
        try
        {
            return File.Exists(path) ? new KernelFile(path) : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Reads a file that is one number.</summary>
    /// <returns>False when it cannot be read or says something else, such as <c>max</c>.</returns>
    public bool TryReadNumber(out long value) => TryReadNumber(default, out value);

    /// <summary>Reads the number that follows <paramref name="key"/> at the start of a line.</summary>
    public bool TryReadNumber(ReadOnlySpan<byte> key, out long value)
    {
        Span<byte> buffer = stackalloc byte[MaxBytes];
        return TryFind(ReadText(buffer), key, out value);
    }

    // Empty when it cannot be read: kernels refuse some files that they have, and files of groups that are gone.
    private ReadOnlySpan<byte> ReadText(Span<byte> buffer)
    {
        try
        {
            return buffer.Slice(0, Read(buffer));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or NotSupportedException)
        {
            return default;
        }
    }

    private static bool TryFind(ReadOnlySpan<byte> text, ReadOnlySpan<byte> key, out long value)
    {
        value = 0;
        while (!text.StartsWith(key))
        {
            int end = text.IndexOf((byte)'\n');
            if (end < 0)
            {
                return false;
            }

            text = text.Slice(end + 1);
        }

        text = text.Slice(key.Length);
        while (!text.IsEmpty && text[0] == (byte)' ')
        {
            text = text.Slice(1);
        }

        return Utf8Parser.TryParse(text, out value, out _);
    }
}
