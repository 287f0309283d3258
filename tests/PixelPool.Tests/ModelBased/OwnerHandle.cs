using System.Buffers;
using System.Runtime.InteropServices;

namespace PixelPool.Tests.ModelBased;

/// <summary>Contiguous memory.</summary>
internal sealed class OwnerHandle<T>(IMemoryOwner<T> owner, RentedMemory memory) : Handle(memory, firstRow: 0)
    where T : unmanaged
{
    public override void Fill() => MemoryMarshal.AsBytes(owner.Memory.Span).Fill(ByteOf(0));

    public override void AssertContent() => AssertRow(MemoryMarshal.AsBytes(owner.Memory.Span), 0);

    public override void AssertClean() => AssertZero(MemoryMarshal.AsBytes(owner.Memory.Span));

    public override void AssertEnded() => Assert.Throws<ObjectDisposedException>(() => owner.Memory.Span.Length);

    public override void Dispose() => owner.Dispose();
}
