namespace PixelPool;

/// <summary>Computes something of the pixels of an image that is only read, with a state, so that a static lambda does and nothing is allocated.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels; valid until the delegate returns.</param>
/// <param name="state">What the caller passed.</param>
/// <returns>What was computed.</returns>
public delegate TResult ReadOnlyPixelAccessorStateFunc<TPixel, TState, TResult>(ReadOnlyPixelAccessor<TPixel> accessor, TState state)
    where TPixel : unmanaged
#if NET9_0_OR_GREATER
    where TState : allows ref struct
#endif
    ;
