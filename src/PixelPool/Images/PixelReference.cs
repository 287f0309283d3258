using System.Runtime.CompilerServices;
using PixelPool.Lifetime;
using PixelPool.Pooling;

namespace PixelPool;

/// <summary>
/// The pixels of a buffer or a lease while a reference on their memory is held. What both of them can do is written here, once.
/// </summary>
/// <remarks>
/// Whoever makes one has added the reference; <see cref="Dispose"/> releases it. So a call begins with <c>using PixelReference&lt;TPixel&gt; pixels = Hold();</c> and cannot
/// forget the end.
/// </remarks>
internal readonly unsafe ref partial struct PixelReference<TPixel>
    where TPixel : unmanaged
{
    private readonly LifetimeGuard _guard;
    private readonly uint _version;
#if NET
    private readonly ref readonly PixelLayout _layout;
#else
    private readonly PixelLayout _layout;
#endif

    /// <summary>Takes a reference on a rent over.</summary>
    /// <param name="guard">The rent.</param>
    /// <param name="version">The rent's version.</param>
    /// <param name="layout">How the rows lie: a field that never changes, or a local of the caller.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
#if NET
    public PixelReference(LifetimeGuard guard, uint version, ref readonly PixelLayout layout)
#else
    public PixelReference(LifetimeGuard guard, uint version, scoped ref readonly PixelLayout layout)
#endif
    {
        _guard = guard;
        _version = version;
#if NET
        _layout = ref layout;
#else
        _layout = layout;
#endif
    }

    /// <summary>Bytes that the rent holds.</summary>
    public long HeldBytes => _guard.HeldBytes;

    private int Width => _layout.Width;

    private int Height => _layout.Height;

    // Bytes of the pixels of one row.
    private int RowBytes => Width * sizeof(TPixel);

    /// <summary>The pixels, for a delegate.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public PixelAccessor<TPixel> Access() => new(_guard, in _layout, firstRow: 0);

    /// <summary>The pixels, for a delegate that only reads.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlyPixelAccessor<TPixel> AccessReadOnly() => new(Access());

    /// <summary>Before these pixels are made from others.</summary>
    /// <exception cref="ArgumentException">Some pixels are in both.</exception>
    public void CheckFilterSource<TSource>(scoped PixelReference<TSource> source)
        where TSource : unmanaged
    {
        if (source._guard == _guard
            && Overlap(_layout.FirstRow, Height, source._layout.FirstRow, source.Height)
            && Overlap(_layout.ColumnBytes, RowBytes, source._layout.ColumnBytes, source.RowBytes))
        {
            Throw.Argument("The source shares pixels with the image that is written: rows would be read after they were overwritten. Write to another image.", nameof(source));
        }
    }

    /// <summary>What others can hold beyond this call. The reference stays with whoever has it.</summary>
    public ImageReference ToReference() => new(_guard, _version, in _layout);

    /// <summary>A buffer with a reference of its own: it takes this one over, so this is not to be disposed.</summary>
    /// <typeparam name="TTo">The type of its pixels.</typeparam>
    /// <param name="layout">How its rows lie, counted from the start of the memory: those of these pixels, or a part of them.</param>
    public PixelBuffer<TTo> ToBuffer<TTo>(in PixelLayout layout)
        where TTo : unmanaged
    {
        try
        {
            var buffer = new PixelBuffer<TTo>(_guard, _version, in layout, LifetimeGuard.Reference);
            _guard.OnHeld(buffer);
            return buffer;
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>A stream with a reference of its own: it takes this one over, so this is not to be disposed.</summary>
    /// <param name="layout">How the rows of bytes lie.</param>
    /// <param name="canWrite">Whether it can be written.</param>
    public Stream ToStream(in PixelLayout layout, bool canWrite)
    {
        PixelBuffer<byte> rows = ToBuffer<byte>(in layout);
        try
        {
            return new PixelStream(rows, canWrite);
        }
        catch
        {
            rows.Dispose();
            throw;
        }
    }

    /// <summary>Fixes the pixels. The pin takes the reference over: this is not to be disposed.</summary>
    /// <exception cref="InvalidMemoryOperationException">The pixels are not contiguous. The reference is released.</exception>
    public PinnedPixels Pin()
    {
        try
        {
            var pin = new PinnedPixels(_guard, _version, FindAddress(), Width, Height, _layout.Stride);
            _guard.OnHeld(pin);
            return pin;
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>The address of the first pixel, which does not move until the rent ends.</summary>
    /// <exception cref="InvalidMemoryOperationException">The pixels are not contiguous.</exception>
    public nint FindAddress()
    {
        int pieces = _layout.PieceCount;
        if (pieces != 1)
        {
            Throw.InvalidMemoryOperation(
                $"{Width} x {Height} pixels in {pieces} blocks have no single pointer. Rent the image with AllocationOptions.Contiguous, or pin views of it.");
        }

        int block = _layout.Locate(0, out nint offset);
        return _guard.PinnedAddress(block) + offset;
    }

    /// <summary>Releases the reference.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Dispose() => _guard.TryRelease(_version);

    private static bool Overlap(int start, int length, int otherStart, int otherLength) =>
        start < (long)otherStart + otherLength && otherStart < (long)start + length;
}
