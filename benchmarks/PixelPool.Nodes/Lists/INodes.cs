namespace PixelPool.Nodes.Lists;

/// <summary>Where one thread gets its nodes. A structure, so that its calls are compiled into the loops.</summary>
internal unsafe interface INodes
{
    Node* Allocate();

    /// <summary>Frees all nodes of a list.</summary>
    void Clear(Node* first);
}
