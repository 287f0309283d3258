namespace Imaging.Memory;

/// <summary>A pointer and a stride in bytes, good until disposed.</summary>
public readonly unsafe struct PinnedImage(void* pointer, int stride, IDisposable pin) : IDisposable
{
    /// <summary>The first pixel of the first row.</summary>
    public void* Pointer { get; } = pointer;

    /// <summary>Bytes from a row to the next.</summary>
    public int Stride { get; } = stride;

    /// <summary>Lets the pixels go.</summary>
    public void Dispose() => pin.Dispose();
}
