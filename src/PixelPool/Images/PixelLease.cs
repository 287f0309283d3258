using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using PixelPool.Diagnostics;
using PixelPool.Lifetime;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

/// <summary>
/// A rented image as a struct: like a <see cref="PixelBuffer{TPixel}"/>, but without an object on the managed heap. <see cref="PixelAllocator.Lease{TPixel}"/>
/// returns it. <see cref="Dispose"/>, called once, gives it back.
/// </summary>
/// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
/// <remarks>
/// <para>
/// For code that rents thousands of images per second and knows which code returns each of them. Copies of the struct are the same lease. Once one of them was disposed, using any of
/// them throws <see cref="ObjectDisposedException"/>, even after the memory was rented again. A second <see cref="Dispose"/> does nothing to the memory; it is
/// counted and reported. A forgotten lease is returned by a finalizer and counted as leaked. The default value holds nothing: disposing it does nothing, and
/// every other member that uses pixels throws. Do not dispose a lease in a finalizer: its memory may have been returned already.
/// </para>
/// <para>
/// A field that still contains a disposed lease can hide a later leak. PixelPool reuses the finalizable object that detects leaks, and the field keeps
/// that object from being collected. Assign <see langword="default"/> to such a field. A rent that is hidden like that stays in
/// <see cref="PixelAllocator.GetOutstandingRents"/>, with its age and place if they were recorded. Buffers and all other objects have no such limit.
/// </para>
/// <para>
/// The memory is as thread-safe as that of a <see cref="PixelBuffer{TPixel}"/>. A variable of this type is larger than a word, so threads that share such a
/// variable must synchronize.
/// </para>
/// </remarks>
public readonly partial struct PixelLease<TPixel> : IDisposable, IReferencedImage
    where TPixel : unmanaged
{
    private readonly LifetimeGuard? _guard;
    private readonly PixelLayout _layout;
    private readonly uint _version;

    // 0 for the lease that was rented. A view holds nothing: it says here what must be there for it to be used, the owner's reference or any.
    private readonly int _borrows;

    /// <summary>Takes the owner's reference on the rent over, or borrows one.</summary>
    internal PixelLease(LifetimeGuard guard, uint version, in PixelLayout layout, int borrows = 0)
    {
        _guard = guard;
        _version = version;
        _layout = layout;
        _borrows = borrows;
    }

    /// <summary>Width in pixels. 0 for the default value.</summary>
    public int Width => _layout.Width;

    /// <summary>Height in rows. 0 for the default value.</summary>
    public int Height => _layout.Height;

    /// <summary>Bytes from the start of a row to the start of the next one in the same block.</summary>
    public int Stride => _layout.Stride;

    /// <summary>Rows that one block has room for. For memory that is not a block of the pool, at least the rows of the image.</summary>
    public int RowsPerBlock => _layout.RowsPerBlock;

    /// <summary>Number of pieces of memory that the rows lie in. 0 for the default value.</summary>
    public int BlockCount => _layout.PieceCount;

    /// <summary>True when all rows are in one piece of memory, a constant <see cref="Stride"/> apart.</summary>
    public bool IsContiguous => BlockCount == 1;

    /// <summary>
    /// Bytes of memory that are rented for the image: whole blocks, an array, a piece of a block, or memory from the system, not only the pixels. A budget is charged with them; for
    /// a piece, the allocator's budget with its whole block. For a view, the bytes of the whole image.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public long HeldBytes
    {
        get
        {
            using PixelReference pixels = Hold();
            return pixels.Guard.HeldBytes;
        }
    }

    /// <summary>True once the lease, or a copy of it, was disposed. True for the default value.</summary>
    public bool IsDisposed => _guard is null || !_guard.IsCurrent(_version, Required);

    /// <summary>Reads or writes one pixel. For more than a few pixels, process rows instead.</summary>
    /// <param name="x">The column: 0 to <see cref="Width"/> − 1.</param>
    /// <param name="y">The row: 0 to <see cref="Height"/> − 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such pixel.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public TPixel this[int x, int y]
    {
        get
        {
            using PixelReference pixels = Hold();
            return pixels.Access<TPixel>()[x, y];
        }

        set
        {
            using PixelReference pixels = Hold();
            pixels.Access<TPixel>()[x, y] = value;
        }
    }

    /// <summary>
    /// A rectangle of the image, without an object. It shares the memory, but does not hold it: it throws once the lease was disposed. Disposing it does
    /// nothing. <see cref="PixelBuffer{TPixel}.View"/> of <see cref="AsBuffer"/> keeps the memory alive.
    /// </summary>
    /// <param name="x">The first column.</param>
    /// <param name="y">The first row.</param>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <returns>The view. It ends with this lease, and need not be disposed.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The rectangle is empty or not inside the image.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public unsafe PixelLease<TPixel> View(int x, int y, int width, int height) =>
        new(GuardOrThrow(), _version, _layout.CutRectangle(x, y, width, height, sizeof(TPixel)), Required);

    /// <summary>
    /// The same memory as pixels of another type, without an object. It shares the memory, but does not hold it: it throws once the lease was disposed. Disposing it does
    /// nothing. Nothing is copied or converted.
    /// </summary>
    /// <typeparam name="TTo">The new pixel type: any unmanaged type. With <c>byte</c>, a row consists of its bytes.</typeparam>
    /// <returns>An image with the same number of rows and the same bytes in each row. In a view, a pixel can start at an address that is not a multiple of its size.</returns>
    /// <exception cref="InvalidMemoryOperationException">The number of bytes in a row is not a multiple of the size of <typeparamref name="TTo"/>.</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public unsafe PixelLease<TTo> Cast<TTo>()
        where TTo : unmanaged =>
        new(GuardOrThrow(), _version, _layout.Cast(sizeof(TPixel), sizeof(TTo)), Required);

    /// <summary>
    /// Fixes the pixels for native code and holds their memory until the pin is disposed, even if the lease is disposed before. Allocates one object;
    /// <see cref="DangerousGetAddress"/> allocates none.
    /// </summary>
    /// <returns>The pin. The caller disposes it.</returns>
    /// <exception cref="InvalidMemoryOperationException">The pixels are not contiguous (<see cref="IsContiguous"/>).</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public unsafe PinnedPixels Pin() => HoldLonger(&ToPin);

    /// <summary>
    /// The address of the first pixel, for native code that is called now. Nothing protects it: it is invalid as soon as the lease is disposed. Until then the
    /// pixels do not move. Row y begins y × <see cref="Stride"/> bytes after it.
    /// </summary>
    /// <returns>The address, for as long as the lease is not disposed.</returns>
    /// <exception cref="InvalidMemoryOperationException">The pixels are not contiguous (<see cref="IsContiguous"/>).</exception>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public nint DangerousGetAddress()
    {
        using PixelReference pixels = Hold();
        return FindAddress(in pixels);
    }

    /// <summary>
    /// The lease as a buffer, for what a lease has no member for: streams, several threads, views that live longer. The buffer shares the memory and keeps it
    /// alive until it is disposed, even if the lease is disposed before. Allocates one object.
    /// </summary>
    /// <returns>The buffer. The caller disposes it.</returns>
    /// <exception cref="ObjectDisposedException">The lease was disposed.</exception>
    public unsafe PixelBuffer<TPixel> AsBuffer() => HoldLonger(&ToBuffer);

    /// <summary>
    /// Gives the memory back as soon as no view, pin or running delegate uses it. Disposing the lease, or a copy of it, again does nothing to
    /// the memory. It is counted (<see cref="PixelPoolStatistics.SecondReturns"/>), and the event source "PixelPool" and <see cref="LeakTracker"/> report it.
    /// The second call does not throw, because that would hide an exception that leaves a <c>using</c> block. Disposing a view does nothing.
    /// </summary>
    /// <remarks>The first call can throw as <see cref="PixelBuffer{TPixel}.Dispose"/> can. The memory is returned all the same.</remarks>
    public void Dispose()
    {
        // Read once: where threads misuse one variable, the rent that is ended is one rent.
        LifetimeGuard? guard = _guard;
        if (guard is not null && _borrows == 0 && !MemoryReturn.TryEnd(guard, _version))
        {
            guard.Registry.Accounts.TellSecondReturn();
        }
    }

    /// <summary>Size, bytes of the pixels, and state, for debuggers.</summary>
    public override unsafe string ToString() => _guard is null
        ? $"0 x 0 {TypeName.Of(typeof(TPixel))}, never rented"
        : $"{Width} x {Height} {TypeName.Of(typeof(TPixel))}, {ByteSize.Format((long)Width * Height * sizeof(TPixel))}"
            + (IsDisposed ? ", disposed" : string.Empty);

    private int Required => _borrows == 0 ? LifetimeGuard.Owner : _borrows;

    /// <summary>What a scope remembers to return it.</summary>
    internal ScopeLease ToScopeLease(RentPayer scope) => new(_guard!.JoinScope(scope), _version);

    PixelReference IReferencedImage.Hold() => Hold();

    /// <summary>Adds a reference, for the duration of a call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal PixelReference Hold()
    {
        // Read once: where threads misuse one variable, what is released later is what was acquired.
        PixelLayout layout = _layout;
        LifetimeGuard? guard = _guard;
        uint version = _version;
        if (guard is null || !guard.TryAcquire(version, Required))
        {
            ThrowReturned();
        }

        return new PixelReference(guard, version, in layout);
    }

    /// <summary>Adds a reference, for the duration of a call of the application's delegate, which is looked at first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private PixelReference HoldFor(Delegate process)
    {
        Throw.IfNull(process, nameof(process));
        return Hold();
    }

    /// <summary>A part of the memory that is laid out otherwise, as a view.</summary>
    /// <param name="layout">How its rows lie, counted from the start of the memory.</param>
    internal PixelLease<TPixel> Part(in PixelLayout layout) => new(GuardOrThrow(), _version, in layout, Required);

    private static PinnedPixels ToPin(in PixelReference pixels) =>
        new(pixels.Guard, pixels.Version, FindAddress(in pixels), pixels.Layout.Width, pixels.Layout.Height, pixels.Layout.Stride);

    private static PixelBuffer<TPixel> ToBuffer(in PixelReference pixels) => new(pixels.Guard, pixels.Version, in pixels.Layout, LifetimeGuard.Reference);

    // An object takes the reference over. Where it cannot be made the reference is released. No delegate: a type initializer that fails for lack of memory has failed for good.
    private unsafe THolder HoldLonger<THolder>(delegate*<in PixelReference, THolder> make)
        where THolder : class
    {
        PixelReference pixels = Hold();
        try
        {
            THolder holder = make(in pixels);
            pixels.Guard.OnHeld(holder);
            return holder;
        }
        catch
        {
            pixels.Dispose();
            throw;
        }
    }

    // The address of the first pixel, which does not move until the rent ends.
    private static nint FindAddress(in PixelReference pixels)
    {
        ref readonly PixelLayout layout = ref pixels.Layout;
        if (layout.PieceCount != 1)
        {
            Throw.InvalidMemoryOperation(
                $"{layout.Width} x {layout.Height} pixels in {layout.PieceCount} blocks have no single pointer. Rent the image with AllocationOptions.Contiguous, or pin views of it.");
        }

        int block = layout.Locate(0, out nint offset);
        return pixels.Guard.PinnedAddress(block) + offset;
    }

    private LifetimeGuard GuardOrThrow()
    {
        if (IsDisposed)
        {
            ThrowReturned();
        }

        return _guard!;
    }

    [DoesNotReturn]
    private void ThrowReturned() => Throw.Returned(typeof(PixelLease<TPixel>), wasRented: _guard is not null);
}
