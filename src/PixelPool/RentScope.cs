using System.Buffers;

namespace PixelPool;

/// <summary>
/// Owns everything that is rented through it and returns all of it together, also when an exception leaves the <c>using</c> block.
/// </summary>
/// <remarks>
/// What was rented may be disposed before; buffers that are to outlive the scope are rented from the allocator instead. Thread-safe: buffers may be
/// rented from several threads; a rent that loses a race with <see cref="Dispose"/> is returned and throws.
/// </remarks>
public sealed class RentScope : IDisposable
{
    private readonly PixelAllocator _allocator;
    private readonly object _gate = new();
    private List<IDisposable>? _owned = [];

    /// <summary>Opens a scope.</summary>
    /// <param name="allocator">Where the scope rents.</param>
    public RentScope(PixelAllocator allocator)
    {
        Throw.IfNull(allocator, nameof(allocator));
        _allocator = allocator;
    }

    /// <summary>Rents an image that is returned with the scope, with the parameters and errors of <see cref="PixelAllocator.Rent{TPixel}"/>.</summary>
    /// <typeparam name="TPixel">The type of a pixel.</typeparam>
    /// <param name="width">Pixels of a row; at least 1.</param>
    /// <param name="height">Rows; at least 1.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public PixelBuffer<TPixel> Rent<TPixel>(int width, int height, AllocationOptions options = AllocationOptions.None)
        where TPixel : unmanaged
    {
        ThrowIfDisposed();
        return Own(_allocator.Rent<TPixel>(width, height, options));
    }

    /// <summary>Allocates memory that is returned with the scope, with the parameters and errors of <see cref="PixelAllocator.Allocate{T}"/>.</summary>
    /// <typeparam name="T">The type of an element.</typeparam>
    /// <param name="length">Elements; 0 or more.</param>
    /// <param name="options">What is asked of the memory.</param>
    /// <exception cref="ObjectDisposedException">The scope was disposed.</exception>
    public IMemoryOwner<T> Allocate<T>(int length, AllocationOptions options = AllocationOptions.None)
        where T : unmanaged
    {
        ThrowIfDisposed();
        return Own(_allocator.Allocate<T>(length, options));
    }

    /// <summary>Returns everything, the last rented first. Idempotent.</summary>
    public void Dispose()
    {
        List<IDisposable>? owned;
        lock (_gate)
        {
            owned = _owned;
            _owned = null;
        }

        for (int i = (owned?.Count ?? 0) - 1; i >= 0; i--)
        {
            owned![i].Dispose();
        }
    }

    private TOwner Own<TOwner>(TOwner owner)
        where TOwner : IDisposable
    {
        bool owned = false;
        try
        {
            lock (_gate)
            {
                if (_owned is not null)
                {
                    _owned.Add(owner);
                    owned = true;
                }
            }
        }
        finally
        {
            if (!owned)
            {
                owner.Dispose();
            }
        }

        ThrowIfDisposed();
        return owner;
    }

    private void ThrowIfDisposed()
    {
        if (Volatile.Read(ref _owned) is null)
        {
            Throw.Disposed(nameof(RentScope));
        }
    }
}
