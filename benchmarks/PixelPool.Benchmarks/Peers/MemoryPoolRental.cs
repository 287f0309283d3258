using System.Buffers;

namespace PixelPool.Benchmarks.Peers;

/// <summary>Memory of the shared memory pool.</summary>
internal readonly struct MemoryPoolRental : IRental<MemoryPoolRental>
{
    private readonly IMemoryOwner<byte> _owner;

    private MemoryPoolRental(IMemoryOwner<byte> owner) => _owner = owner;

    public static MemoryPoolRental Rent(int bytes) => new(MemoryPool<byte>.Shared.Rent(bytes));

    public void Touch(int bytes) => Pages.Touch(_owner.Memory.Span[..bytes]);

    public void FillFirstPage(byte value) => _owner.Memory.Span[..Pages.Bytes].Fill(value);

    public void Return() => _owner.Dispose();
}
