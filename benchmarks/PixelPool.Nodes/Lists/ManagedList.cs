namespace PixelPool.Nodes.Lists;

/// <summary>The list of the base library.</summary>
internal sealed class ManagedList : IListWork
{
    private readonly LinkedList<int> _list = [];

    public void Insert(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _list.AddFirst(i);
        }
    }

    public long Iterate()
    {
        long sum = 0;
        foreach (int value in _list)
        {
            sum += value;
        }

        return sum;
    }

    public void Clear() => _list.Clear();
}
