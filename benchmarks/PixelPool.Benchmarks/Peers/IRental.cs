namespace PixelPool.Benchmarks.Peers;

/// <summary>
/// One piece of memory, got and given back the way its users do it. A struct, so that every peer's benchmark is compiled for it alone.
/// </summary>
/// <typeparam name="TSelf">The implementing struct.</typeparam>
internal interface IRental<TSelf>
    where TSelf : struct, IRental<TSelf>
{
    /// <param name="bytes">A multiple of a page.</param>
    static abstract TSelf Rent(int bytes);

    /// <summary>Writes one byte a page.</summary>
    void Touch(int bytes);

    void FillFirstPage(byte value);

    void Return();
}
