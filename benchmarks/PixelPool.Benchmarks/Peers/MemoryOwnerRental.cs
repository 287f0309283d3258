using CommunityToolkit.HighPerformance.Buffers;

namespace PixelPool.Benchmarks.Peers;

/// <summary>The Community Toolkit's owner of a pooled array.</summary>
internal readonly struct MemoryOwnerRental : IRental<MemoryOwnerRental>
{
    private readonly MemoryOwner<byte> _owner;

    private MemoryOwnerRental(MemoryOwner<byte> owner) => _owner = owner;

    public static MemoryOwnerRental Rent(int bytes) => new(MemoryOwner<byte>.Allocate(bytes));

    public void Touch(int bytes) => Pages.Touch(_owner.Span);

    public void FillFirstPage(byte value) => _owner.Span[..Pages.Bytes].Fill(value);

    public void Return() => _owner.Dispose();
}
