namespace PixelPool.Nodes.Lists;

/// <summary>Nodes of an allocator that only this thread uses; freed all at once.</summary>
internal readonly unsafe struct ClearedNodes(FixedBlockAllocator<Node> allocator) : INodes
{
    public Node* Allocate() => allocator.Allocate();

    public void Clear(Node* first) => allocator.Clear();
}
