using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace PixelPool;

/// <summary>Exceptions that several places throw, so that messages stay alike, and those of hot methods, which stay small.</summary>
internal static class Throw
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void IfNull(object? argument, string name)
    {
        if (argument is null)
        {
            ArgumentNull(name);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void IfNegative(long value, string name)
    {
        if (value < 0)
        {
            Negative(name, value);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void IfDisposed(bool isDisposed, string name)
    {
        if (isDisposed)
        {
            Disposed(name);
        }
    }

    [DoesNotReturn]
    public static void ArgumentNull(string name) => throw new ArgumentNullException(name);

    [DoesNotReturn]
    public static void Argument(string message, string name) => throw new ArgumentException(message, name);

    [DoesNotReturn]
    public static void NotPositive(string name, int value) =>
        throw new ArgumentOutOfRangeException(name, value, $"{name} must be at least 1.");

    [DoesNotReturn]
    public static void Negative(string name, long value) =>
        throw new ArgumentOutOfRangeException(name, value, $"{name} must not be negative.");

    [DoesNotReturn]
    public static void OutOfRange(string name, object value, string message) => throw new ArgumentOutOfRangeException(name, value, message);

    [DoesNotReturn]
    public static void RowOutOfRange(int y, int height, int firstRow = 0) =>
        throw new ArgumentOutOfRangeException(
            nameof(y),
            y,
            $"Row {y} is out of range. It must be 0 to {height - 1}{(firstRow == 0 ? string.Empty : $": it is counted from the first row of this band, which is row {firstRow} of the image (FirstRow)")}.");

    [DoesNotReturn]
    public static void PixelOutOfRange(int x, int y, int width, int height) =>
        throw new ArgumentOutOfRangeException(
            (uint)x >= (uint)width ? nameof(x) : nameof(y),
            $"Pixel ({x}, {y}) is outside of an image of {width} x {height} pixels.");

    [DoesNotReturn]
    public static void RowTooLong(int width, int pixelBytes) =>
        InvalidMemoryOperation($"A row of {Plural.Of(width, "pixel")} of {Plural.Of(pixelBytes, "byte")} is longer than 2 GiB.");

    [DoesNotReturn]
    public static void TooLarge(long bytes, long mostBytes) =>
        InvalidMemoryOperation($"{ByteSize.Format(bytes)} is more than a process can address ({ByteSize.Format(mostBytes)}).");

    [DoesNotReturn]
    public static void InvalidMemoryOperation(string message) => throw new InvalidMemoryOperationException(message);

    // Not that its memory is back: views, pins and delegates may still hold it. The text is made here: in a lease it would double what a pixel costs. One statement: so the JIT sees that it does not return.
    [DoesNotReturn]
    public static void Returned(Type type, bool wasRented = true) => throw new ObjectDisposedException(TypeName.Of(type), DescribeReturned(type, wasRented));

    private static string DescribeReturned(Type type, bool wasRented) =>
        $"This {TypeName.Of(type)} {(wasRented ? "was disposed." : "is the default value: it was never rented.")}";

    [DoesNotReturn]
    public static void Disposed(string name, string? message = null) => throw new ObjectDisposedException(name, message ?? $"This {name} was disposed.");

    /// <summary>Looks at what a stream says that it has read. It may be anybody's: one that read more than it was given room for must not be believed.</summary>
    /// <param name="count">What it says.</param>
    /// <param name="mostBytes">Bytes it was given room for.</param>
    /// <param name="readBytes">Bytes it has given before.</param>
    /// <param name="expectedBytes">Bytes it has to give in all.</param>
    public static void IfNotRead(int count, int mostBytes, long readBytes, long expectedBytes)
    {
        if (count <= 0)
        {
            throw new EndOfStreamException($"The stream ended after {readBytes} of {Plural.Of(expectedBytes, "byte")}.");
        }

        if (count > mostBytes)
        {
            ReadTooMuch(count, mostBytes);
        }
    }

    [DoesNotReturn]
    public static void ReadTooMuch(int bytes, int mostBytes) =>
        throw new IOException($"The stream says that it read {Plural.Of(bytes, "byte")}. It was asked for at most {mostBytes}.");
}
