using System.Runtime.InteropServices;

namespace PixelPool.Nodes.Lists;

/// <summary>Nodes of <see cref="NativeMemory"/>: those of <c>malloc</c>, whichever that is.</summary>
internal readonly unsafe struct NativeNodes : INodes
{
    public Node* Allocate() => (Node*)NativeMemory.Alloc((nuint)sizeof(Node));

    public void Clear(Node* first)
    {
        while (first != null)
        {
            Node* next = first->Next;
            NativeMemory.Free(first);
            first = next;
        }
    }
}
