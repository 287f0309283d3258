namespace PixelPool.Tests.ModelBased;

/// <summary>Something that holds memory until it is disposed, of any kind.</summary>
/// <param name="memory">What it holds.</param>
/// <param name="firstRow">The row of the whole image that is its first one.</param>
internal abstract class Handle(RentedMemory memory, int firstRow)
{
    public RentedMemory Memory => memory;

    /// <summary>The scope that disposes it, if it does not end before.</summary>
    public KnownScope? Scope { get; init; }

    /// <summary>Whether a second disposal is counted as a mistake.</summary>
    public virtual bool CountsSecondReturn => false;

    /// <summary>Whether all of the memory can be written through it.</summary>
    public virtual bool IsWhole => true;

    protected int FirstRow => firstRow;

    /// <summary>Writes all bytes, as the cookie of the memory says.</summary>
    public abstract void Fill();

    public abstract void AssertContent();

    /// <summary>Fails unless all is zero.</summary>
    public abstract void AssertClean();

    /// <summary>Fails unless it throws, because it was disposed.</summary>
    public abstract void AssertEnded();

    /// <returns>A view that begins at such a pixel, or null where there are no views.</returns>
    public virtual Handle? TryView(int x, int y) => null;

    /// <returns>A pin, or null where there is none.</returns>
    public virtual Handle? TryPin() => null;

    public abstract void Dispose();

    /// <summary>What every byte of a row is.</summary>
    protected byte ByteOf(int y) => (byte)(memory.Cookie + (97 * (firstRow + y)));

    protected void AssertRow(ReadOnlySpan<byte> row, int y) => Assert.True(!row.ContainsAnyExcept(ByteOf(y)), "somebody else wrote to the memory");

    protected static void AssertZero(ReadOnlySpan<byte> row) => Assert.True(!row.ContainsAnyExcept((byte)0), "clean memory is not clean");
}
