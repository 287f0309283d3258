namespace PixelPool.Nodes.Lists;

/// <summary>Nodes of an allocator that all threads use; freed one by one.</summary>
internal readonly unsafe struct PooledNodes(FixedBlockAllocator<Node> allocator) : INodes
{
    public Node* Allocate() => allocator.Allocate();

    public void Clear(Node* first)
    {
        while (first != null)
        {
            Node* next = first->Next;
            allocator.Free(first);
            first = next;
        }
    }
}
