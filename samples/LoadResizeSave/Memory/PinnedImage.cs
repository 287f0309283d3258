namespace LoadResizeSave.Memory;

/// <summary>A pointer and a stride in bytes, good until disposed.</summary>
internal readonly unsafe struct PinnedImage(void* pointer, int stride, IDisposable pin) : IDisposable
{
    public void* Pointer { get; } = pointer;

    public int Stride { get; } = stride;

    public void Dispose() => pin.Dispose();
}
