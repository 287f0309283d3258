namespace PixelPool.Nodes.Lists;

/// <summary>Where nodes come from.</summary>
internal enum Contender
{
    /// <summary>One <see cref="FixedBlockAllocator{T}"/> for all threads; nodes are freed one by one.</summary>
    Pooled,

    /// <summary>A <see cref="FixedBlockAllocator{T}"/> for each thread; its nodes are freed by <see cref="FixedBlockAllocator{T}.Clear"/>.</summary>
    Cleared,

    /// <summary><see cref="System.Runtime.InteropServices.NativeMemory"/>.</summary>
    Native,

    /// <summary><see cref="LinkedList{T}"/>.</summary>
    Managed,
}
