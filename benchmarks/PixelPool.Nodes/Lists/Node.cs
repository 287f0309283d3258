using System.Runtime.InteropServices;

namespace PixelPool.Nodes.Lists;

/// <summary>A node of a singly linked list: 32 bytes.</summary>
[StructLayout(LayoutKind.Sequential, Size = 32)]
internal unsafe struct Node
{
    public Node* Next;
    public int Value;
}
