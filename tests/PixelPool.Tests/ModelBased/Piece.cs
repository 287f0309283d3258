namespace PixelPool.Tests.ModelBased;

/// <summary>Small memory that is rented, as the model knows it.</summary>
/// <param name="Lease">The rent.</param>
/// <param name="Address">Where it lies.</param>
/// <param name="Block">Where the block begins that it is cut from; 0 for an array.</param>
/// <param name="HeldBytes">What it holds.</param>
internal sealed record Piece(PixelLease<byte> Lease, nint Address, nint Block, long HeldBytes)
{
    /// <summary>What all of its bytes are.</summary>
    public byte Cookie { get; private set; }

    public void Fill(byte cookie)
    {
        Cookie = cookie;
        Lease.ProcessPixelRows(cookie, static (rows, cookie) => rows.GetRowSpan(0).Fill(cookie));
    }

    public void AssertContent() => Lease.ProcessPixelRows(Cookie, static (rows, cookie) =>
        Assert.True(!rows.GetRowSpan(0).ContainsAnyExcept(cookie), "somebody else wrote to a piece"));
}
