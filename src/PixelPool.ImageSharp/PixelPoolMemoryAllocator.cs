using System.Buffers;
using System.Runtime.CompilerServices;
using SixLabors.ImageSharp.Memory;
using ImageSharpException = SixLabors.ImageSharp.Memory.InvalidMemoryOperationException;
using ImageSharpOptions = SixLabors.ImageSharp.Memory.AllocationOptions;

namespace PixelPool.ImageSharp;

/// <summary>
/// ImageSharp's memory, from a <see cref="PixelAllocator"/>: <c>Configuration.Default.MemoryAllocator = new PixelPoolMemoryAllocator();</c> and everything that ImageSharp
/// allocates from there on is rented, bounded, reported and trimmed like the images of the application itself.
/// </summary>
/// <remarks>
/// <para>
/// Images of up to 1 GiB are one contiguous rent each, larger ones several. An image that is not disposed is returned by a finalizer, and reported with the line that
/// called ImageSharp. All members are thread-safe. The allocator is not owned: it may serve others, too, and must live as long as ImageSharp uses it.
/// </para>
/// <para>
/// An operation that holds an image while it asks for a second one of that size, such as a rotation, can wait for others that do the same. Give it a scope with a reservation
/// (<see cref="PixelAllocator.ReserveScope"/>): then it never waits for the second one.
/// </para>
/// <para>
/// What is refused because of its size throws ImageSharp's <see cref="ImageSharpException"/>, of which its decoders make an <c>InvalidImageContentException</c>: the
/// file is to blame. What a budget refuses throws <see cref="PixelBudgetExceededException"/>, also out of decoders: the same file can be decoded later.
/// </para>
/// </remarks>
public sealed class PixelPoolMemoryAllocator : MemoryAllocator
{
    // The most that ImageSharp's own allocator gives in one piece. Images above are divided by ImageSharp, up to the 4 GiB that it allows them.
    private const int LargestBufferBytes = 1 << 30;

    // An image has several pieces only if all but its last one have more bytes than this: as many rows as fit.
    private const int LargestLastPieceBytes = LargestBufferBytes / 2;

    private readonly PixelAllocator _allocator;
    private readonly RentScope? _scope;
    private readonly int _capacityBytes;

    /// <summary>Takes memory from <see cref="PixelAllocator.Shared"/>.</summary>
    public PixelPoolMemoryAllocator()
        : this(PixelAllocator.Shared)
    {
    }

    /// <summary>Takes memory from an allocator. Buffers may have 1 GiB and images 4 GiB, as with ImageSharp's own allocator.</summary>
    /// <param name="allocator">Whose memory, budget and reports.</param>
    /// <exception cref="ArgumentNullException">There is no allocator.</exception>
    public PixelPoolMemoryAllocator(PixelAllocator allocator)
        : this(allocator ?? throw new ArgumentNullException(nameof(allocator)), scope: null, maxRequestBytes: null)
    {
    }

    /// <summary>Takes memory from an allocator, and refuses what is larger than a limit: for files that nobody looked at before.</summary>
    /// <param name="allocator">Whose memory, budget and reports.</param>
    /// <param name="maxRequestBytes">The most bytes of one image or buffer: 1 to 1 GiB.</param>
    /// <exception cref="ArgumentNullException">There is no allocator.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The limit is outside of its range.</exception>
    public PixelPoolMemoryAllocator(PixelAllocator allocator, int maxRequestBytes)
        : this(allocator ?? throw new ArgumentNullException(nameof(allocator)), scope: null, maxRequestBytes)
    {
    }

    /// <summary>
    /// Takes memory through a scope: for one operation, or for all that are to end with it. The scope's budget pays for everything, and its tag is in reports. What ImageSharp still holds
    /// when the scope is disposed is returned then: dispose the images first.
    /// </summary>
    /// <param name="scope">What rents, and owns what it rents. It is not disposed by the adapter.</param>
    /// <exception cref="ArgumentNullException">There is no scope.</exception>
    public PixelPoolMemoryAllocator(RentScope scope)
        : this((scope ?? throw new ArgumentNullException(nameof(scope))).Allocator, scope, maxRequestBytes: null)
    {
    }

    /// <summary>Takes memory through a scope, and refuses what is larger than a limit.</summary>
    /// <param name="scope">What rents, and owns what it rents. It is not disposed by the adapter.</param>
    /// <param name="maxRequestBytes">The most bytes of one image or buffer: 1 to 1 GiB.</param>
    /// <exception cref="ArgumentNullException">There is no scope.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The limit is outside of its range.</exception>
    public PixelPoolMemoryAllocator(RentScope scope, int maxRequestBytes)
        : this((scope ?? throw new ArgumentNullException(nameof(scope))).Allocator, scope, maxRequestBytes)
    {
    }

    private PixelPoolMemoryAllocator(PixelAllocator allocator, RentScope? scope, int? maxRequestBytes)
    {
        if (maxRequestBytes is < 1 or > LargestBufferBytes)
        {
            throw new ArgumentOutOfRangeException(nameof(maxRequestBytes), maxRequestBytes, $"The limit must be 1 to {LargestBufferBytes} bytes.");
        }

        _allocator = allocator;
        _scope = scope;
        MaxRequestBytes = maxRequestBytes ?? LargestBufferBytes;

        // With a limit ImageSharp divides nothing before it is refused here.
        _capacityBytes = maxRequestBytes is null ? LargestBufferBytes : int.MaxValue;
    }

    /// <summary>Whose memory it is.</summary>
    public PixelAllocator Allocator => _allocator;

    /// <summary>The most bytes that one request gets.</summary>
    public int MaxRequestBytes { get; }

    /// <summary>Allocates contiguous memory.</summary>
    /// <typeparam name="T">The type of an element: any struct without references.</typeparam>
    /// <param name="length">Elements; 0 or more.</param>
    /// <param name="options">Whether it has to be zero.</param>
    /// <returns>An owner of exactly <paramref name="length"/> elements; to be disposed. Its memory throws <see cref="ObjectDisposedException"/> after that.</returns>
    /// <exception cref="ImageSharpException">The length is negative, or the memory has more than <see cref="MaxRequestBytes"/>.</exception>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> holds references.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// It would exceed the budget, and <see cref="PixelAllocatorOptions.RentTimeout"/> is over; or it would exceed the reservation of the scope. What the same image holds already was returned.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The system has no memory, also after every pool was trimmed.</exception>
    /// <exception cref="ObjectDisposedException">The allocator or the scope was disposed.</exception>
    public override IMemoryOwner<T> Allocate<T>(int length, ImageSharpOptions options = ImageSharpOptions.None)
    {
        long bytes = (long)length * Unsafe.SizeOf<T>();
        if ((ulong)bytes > (ulong)MaxRequestBytes)
        {
            Refuse(length, bytes);
        }

        try
        {
            AllocationOptions clean = (options & ImageSharpOptions.Clean) != 0 ? AllocationOptions.Clean : AllocationOptions.None;
            IMemoryOwner<T> owner = _scope is null ? _allocator.AllocateStructs<T>(length, clean) : _scope.AllocateStructs<T>(length, clean);
            if (bytes > LargestLastPieceBytes)
            {
                DividedImage.Add(owner);
            }

            return owner;
        }
        catch
        {
            // ImageSharp forgets the pieces that it has when it does not get the next one.
            DividedImage.GiveBack();
            throw;
        }
    }

    /// <summary>Gives all idle memory of the allocator back to the system: <see cref="PixelAllocator.Trim"/>.</summary>
    public override void ReleaseRetainedResources() => _allocator.Trim();

    /// <summary>Whose memory, and its state, for debuggers.</summary>
    public override string ToString() => $"ImageSharp's memory from {(_scope is null ? _allocator.ToString() : _scope.ToString())}";

    /// <summary>ImageSharp asks once for each image, before it allocates.</summary>
    /// <returns>The most bytes of a piece: images of no more are one contiguous rent.</returns>
    protected override int GetBufferCapacityInBytes()
    {
        DividedImage.Begin();
        return _capacityBytes;
    }

    // Decoders look for this exception: such a size comes from the file.
    private void Refuse(int length, long bytes) =>
        throw new ImageSharpException(length < 0
            ? $"The length is negative: {length}."
            : $"A buffer of {bytes} bytes is larger than the limit of {MaxRequestBytes}.");
}
