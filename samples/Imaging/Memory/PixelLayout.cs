namespace Imaging.Memory;

/// <summary>What a codec needs an image's memory to look like.</summary>
public enum PixelLayout
{
    /// <summary>Each row is one span; where the rows lie is the allocator's business.</summary>
    Rows,

    /// <summary>One pointer and a stride lead to every pixel: what native libraries want.</summary>
    Contiguous,
}
