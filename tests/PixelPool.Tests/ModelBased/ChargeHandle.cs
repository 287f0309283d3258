namespace PixelPool.Tests.ModelBased;

/// <summary>A charge for memory of other code, of which there is none to look at.</summary>
internal sealed class ChargeHandle(ExternalCharge charge, RentedMemory memory) : Handle(memory, firstRow: 0)
{
    public override bool IsWhole => false;

    public override void Fill()
    {
    }

    public override void AssertContent() => Assert.Equal(Memory.HeldBytes, charge.Bytes);

    public override void AssertClean()
    {
    }

    public override void AssertEnded() => Assert.EndsWith("disposed", charge.ToString(), StringComparison.Ordinal);

    public override void Dispose() => charge.Dispose();
}
