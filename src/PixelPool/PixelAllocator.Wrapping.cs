using System.Buffers;
using System.Runtime.InteropServices;
using PixelPool.Pooling;
using PixelPool.Tiers;

namespace PixelPool;

// Memory that somebody else owns, as an image.
public sealed partial class PixelAllocator
{
    /// <summary>
    /// Makes an image of memory that other code owns, such as a bitmap of another library or a frame of a camera. Nothing is copied. The image has everything
    /// that a rented one has: delegates, views, pins, and reports if it is forgotten.
    /// </summary>
    /// <remarks>
    /// <para>
    /// The memory must stay where it is until <paramref name="release"/> is called. That is when the image and all views, pins and running delegates of it have
    /// ended. If they were forgotten, a finalizer calls it, on the finalizer thread. It is called exactly once. If it throws, the call that ended the last of
    /// them throws the same exception, after all counters were updated. After a leak, the event source "PixelPool" reports the exception instead
    /// (<c>ApplicationFailed</c>).
    /// </para>
    /// <para>
    /// If this method throws, the memory was not taken over, and <paramref name="release"/> is not called. The 64 bytes that can be read before and after
    /// rented memory are not guaranteed here. <see cref="PixelAllocatorOptions.ClearOnReturn"/> does not clear it.
    /// </para>
    /// <para>It does not count as rented memory. <see cref="GetOutstandingRents"/> lists it, and it is counted if it leaks.</para>
    /// </remarks>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="address">The first byte of row 0. Not zero.</param>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="strideBytes">
    /// Bytes from the start of a row to the start of the next one: at least those of a row. Negative where row 0 is the last one in memory, as in bitmaps that are
    /// stored from the bottom up.
    /// </param>
    /// <param name="release">Called with <paramref name="address"/> when the memory is no longer used. Default: null, nothing is called.</param>
    /// <param name="charge">
    /// Whether the memory is charged to the budget while the image lives, and counted, as <see cref="ChargeExternal"/> does. Default: false.
    /// </param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="address"/> is zero.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or the stride is shorter than a row.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB, or the image leaves the address space.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// <paramref name="charge"/> is true, the budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public unsafe PixelBuffer<TPixel> Wrap<TPixel>(nint address, int width, int height, int strideBytes, Action<nint>? release = null, bool charge = false)
        where TPixel : unmanaged
    {
        if (address == 0)
        {
            Throw.ArgumentNull(nameof(address));
        }

        long bytes = ExternalTier.Check(address, width, height, sizeof(TPixel), strideBytes);
        return WrapChecked<TPixel>(address, width, height, strideBytes, bytes, release is null ? null : () => release(address), charge);
    }

    /// <summary>Makes an image of the memory of an owner, which is disposed when the memory is no longer used. Nothing is copied.</summary>
    /// <remarks>
    /// The memory is pinned as long as the image, or a view or pin of it, lives. Everything else is as for
    /// <see cref="Wrap{TPixel}(nint, int, int, int, Action{nint}, bool)"/>: the owner is disposed exactly once, and not at all when this method throws.
    /// </remarks>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="owner">The owner. Its memory has row y at byte y × <paramref name="strideBytes"/>. The image takes it over.</param>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="strideBytes">Bytes from the start of a row to the start of the next one: at least those of a row.</param>
    /// <param name="charge">Whether the memory is charged to the budget. Default: false.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="owner"/> is null.</exception>
    /// <exception cref="ArgumentException">The memory is too short.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1, or the stride is shorter than a row.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// <paramref name="charge"/> is true, the budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public PixelBuffer<TPixel> Wrap<TPixel>(IMemoryOwner<byte> owner, int width, int height, int strideBytes, bool charge = false)
        where TPixel : unmanaged
    {
        Throw.IfNull(owner, nameof(owner));
        return WrapPinned<TPixel, byte>(owner.Memory, owner, width, height, strideBytes, nameof(owner), charge);
    }

    /// <summary>Makes an image of managed memory, such as an array, that holds the rows without gaps. Nothing is copied.</summary>
    /// <remarks>
    /// The memory is pinned as long as the image, or a view or pin of it, lives. Everything else is as for
    /// <see cref="Wrap{TPixel}(nint, int, int, int, Action{nint}, bool)"/>.
    /// </remarks>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="memory">At least width × height pixels.</param>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="charge">Whether the memory is charged to the budget. Default: false.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentException">The memory is too short.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// <paramref name="charge"/> is true, the budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public unsafe PixelBuffer<TPixel> Wrap<TPixel>(Memory<TPixel> memory, int width, int height, bool charge = false)
        where TPixel : unmanaged
    {
        // One row of it, before its stride is known to fit an int.
        ExternalTier.Check(address: 0, width, Math.Min(height, 1), sizeof(TPixel), int.MaxValue);
        return WrapPinned<TPixel, TPixel>(memory, owner: null, width, height, width * sizeof(TPixel), nameof(memory), charge);
    }

    /// <summary>Makes an image of managed memory that must not be written and that holds the rows without gaps. Nothing is copied.</summary>
    /// <remarks>
    /// The memory is pinned as long as the image, or a view or pin of it, lives. Everything else is as for
    /// <see cref="Wrap{TPixel}(nint, int, int, int, Action{nint}, bool)"/>. For an address that must not be written, such as that of a read-only mapping, wrap the address, and call
    /// <see cref="PixelBuffer{TPixel}.AsReadOnly"/>.
    /// </remarks>
    /// <typeparam name="TPixel">The type of a pixel: any unmanaged type.</typeparam>
    /// <param name="memory">At least width × height pixels.</param>
    /// <param name="width">Width in pixels; at least 1.</param>
    /// <param name="height">Height in rows; at least 1.</param>
    /// <param name="charge">Whether the memory is charged to the budget. Default: false.</param>
    /// <returns>The image. The caller disposes it.</returns>
    /// <exception cref="ArgumentException">The memory is too short.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A dimension is less than 1.</exception>
    /// <exception cref="InvalidMemoryOperationException">A row has more than 2 GiB.</exception>
    /// <exception cref="PixelBudgetExceededException">
    /// <paramref name="charge"/> is true, the budget has no room, and <see cref="PixelAllocatorOptions.RentTimeout"/> has passed.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The allocator was disposed.</exception>
    public ReadOnlyPixelBuffer<TPixel> Wrap<TPixel>(ReadOnlyMemory<TPixel> memory, int width, int height, bool charge = false)
        where TPixel : unmanaged => Wrap(MemoryMarshal.AsMemory(memory), width, height, charge);

    private unsafe PixelBuffer<TPixel> WrapPinned<TPixel, T>(
        Memory<T> memory, IDisposable? owner, int width, int height, int strideBytes, string name, bool charge)
        where TPixel : unmanaged
        where T : unmanaged
    {
        Throw.IfNegative(strideBytes, nameof(strideBytes));
        long bytes = ExternalTier.Check(address: 0, width, height, sizeof(TPixel), strideBytes);
        if (bytes > (long)memory.Length * sizeof(T))
        {
            Throw.Argument(
                $"The memory has {Plural.Of((long)memory.Length * sizeof(T), "byte")}. It must have at least {bytes}, for {Plural.Of(height, "row")} with a stride of {Plural.Of(strideBytes, "byte")}.",
                name);
        }

        MemoryHandle pin = memory.Pin();
        try
        {
            if (pin.Pointer is null)
            {
                Throw.InvalidMemoryOperation("The memory manager of this memory pinned it at address 0.");
            }

            return WrapChecked<TPixel>((nint)pin.Pointer, width, height, strideBytes, bytes, () => Release(pin, owner), charge);
        }
        catch
        {
            pin.Dispose();
            throw;
        }

        static void Release(MemoryHandle pin, IDisposable? owner)
        {
            using (owner)
            {
                pin.Dispose();
            }
        }
    }

    private PixelBuffer<TPixel> WrapChecked<TPixel>(nint address, int width, int height, int strideBytes, long bytes, Action? release, bool charge)
        where TPixel : unmanaged
    {
        ThrowIfDisposed();
        return MemoryRequests.Hand(Requests.Wrap(address, bytes, charge), guard =>
        {
            var layout = new PixelLayout(width, height, strideBytes, rowsPerBlock: height, isDivided: false);
            var image = new PixelBuffer<TPixel>(guard, guard.Version, in layout);
            ExternalTier.TakeOver(guard, release);
            return image;
        });
    }
}
