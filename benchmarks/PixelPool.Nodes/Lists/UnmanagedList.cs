namespace PixelPool.Nodes.Lists;

/// <summary>A singly linked list of unmanaged nodes; each one becomes the first.</summary>
internal sealed unsafe class UnmanagedList<TNodes>(TNodes nodes) : IListWork
    where TNodes : struct, INodes
{
    private Node* _first;

    public void Insert(int count)
    {
        Node* first = null;
        for (int i = 0; i < count; i++)
        {
            Node* node = nodes.Allocate();
            node->Value = i;
            node->Next = first;
            first = node;
        }

        _first = first;
    }

    public long Iterate()
    {
        long sum = 0;
        for (Node* node = _first; node != null; node = node->Next)
        {
            sum += node->Value;
        }

        return sum;
    }

    public void Clear()
    {
        nodes.Clear(_first);
        _first = null;
    }
}
