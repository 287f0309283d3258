namespace PixelPool.Nodes.Lists;

/// <summary>The list of one thread, step by step.</summary>
internal interface IListWork
{
    void Insert(int count);

    /// <returns>The sum of all values.</returns>
    long Iterate();

    void Clear();
}
