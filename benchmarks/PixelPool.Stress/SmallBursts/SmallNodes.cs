namespace PixelPool.Stress.SmallBursts;

/// <summary>Nodes that are linked: millions of them need no list beside them.</summary>
internal sealed unsafe class SmallNodes(FixedBlockAllocator<SmallNode> allocator) : ISmallPieces
{
    private SmallNode* _own;
    private SmallNode* _others;

    public void Take(long bytes)
    {
        for (long taken = 0; taken < bytes; taken += 2 * SmallNode.Bytes)
        {
            Add(ref _own);
            Add(ref _others);
        }
    }

    public void ReturnHalf() => Free(ref _own);

    public void ReturnRest() => Free(ref _others);

    private void Add(ref SmallNode* first)
    {
        SmallNode* node = allocator.Allocate();
        node->Next = first;
        first = node;
    }

    private void Free(ref SmallNode* first)
    {
        while (first != null)
        {
            SmallNode* next = first->Next;
            allocator.Free(first);
            first = next;
        }
    }
}
