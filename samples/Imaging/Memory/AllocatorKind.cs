namespace Imaging.Memory;

/// <summary>The allocators that can be compared on the same work.</summary>
public enum AllocatorKind
{
    /// <summary>Pooled unmanaged blocks.</summary>
    PixelPool,

    /// <summary><c>malloc</c> and <c>free</c> for every image.</summary>
    Native,

    /// <summary>A new array for every image, left to the garbage collector.</summary>
    Gc,

    /// <summary><c>ArrayPool&lt;byte&gt;.Shared</c>.</summary>
    ArrayPool,
}
