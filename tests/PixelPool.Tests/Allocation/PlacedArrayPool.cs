using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace PixelPool.Tests.Allocation;

/// <summary>Arrays that are no longer than asked for, the first of which lies at a place that a test chooses. It does not move.</summary>
internal sealed unsafe class PlacedArrayPool(Func<nint, int, bool> isPlace) : ArrayPool<byte>
{
    private const int MostTried = 10_000;

    private readonly List<byte[]> _rented = [];
    private readonly List<byte[]> _returned = [];

    /// <summary>What was rented, in order.</summary>
    public IReadOnlyList<byte[]> Rented => _rented;

    public IReadOnlyList<byte[]> Returned => _returned;

    /// <summary>Gives the arrays after the first one.</summary>
    public Func<int, byte[]> Further { get; init; } = static length => new byte[length];

    /// <summary>What is thrown when an array comes back.</summary>
    public Exception? Failure { get; init; }

    public static nint AddressOf(byte[] array) => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(array));

    public override byte[] Rent(int minimumLength)
    {
        _rented.Add(_rented.Count == 0 ? FindFirst(minimumLength) : Further(minimumLength));
        return _rented[^1];
    }

    public override void Return(byte[] array, bool clearArray = false)
    {
        Assert.Contains(array, _rented);
        Assert.DoesNotContain(array, _returned);
        _returned.Add(array);
        if (Failure is not null)
        {
            throw Failure;
        }
    }

    private byte[] FindFirst(int length)
    {
        // All are held until the place is found, so that none is tried twice.
        List<byte[]> tried = [];
        do
        {
            Assert.True(tried.Count < MostTried, "no array lies there");
            tried.Add(GC.AllocateUninitializedArray<byte>(length, pinned: true));
        }
        while (!isPlace(AddressOf(tried[^1]), length));

        return tried[^1];
    }
}
