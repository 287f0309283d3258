namespace PixelPool;

/// <summary>Reads the pixels of an image with a state, so that a static lambda does and nothing is allocated.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
/// <param name="accessor">The pixels; valid until the delegate returns.</param>
/// <param name="state">What the caller passed.</param>
public delegate void ReadOnlyPixelAccessorStateAction<TPixel, TState>(ReadOnlyPixelAccessor<TPixel> accessor, TState state)
    where TPixel : unmanaged
#if NET9_0_OR_GREATER
    where TState : allows ref struct
#endif
    ;
