namespace PixelPool.Stress.SmallBursts;

/// <summary>The pieces that one thread took.</summary>
internal interface ISmallPieces
{
    /// <summary>Takes pieces of so many bytes together, and writes to all of them.</summary>
    void Take(long bytes);

    /// <summary>Returns half of the pieces: for the thread that took them.</summary>
    void ReturnHalf();

    /// <summary>Returns the other half: for another thread.</summary>
    void ReturnRest();
}
