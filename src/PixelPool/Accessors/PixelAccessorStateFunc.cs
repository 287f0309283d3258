namespace PixelPool;

/// <summary>Computes something of the pixels of one image, with a state.</summary>
/// <typeparam name="TPixel">The type of a pixel.</typeparam>
/// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels; valid until the delegate returns.</param>
/// <param name="state">What the caller passed.</param>
/// <returns>What was computed.</returns>
public delegate TResult PixelAccessorStateFunc<TPixel, TState, TResult>(PixelAccessor<TPixel> accessor, TState state)
    where TPixel : unmanaged
#if NET9_0_OR_GREATER
    where TState : allows ref struct
#endif
    ;

/// <summary>Computes something of the pixels of two images, with a state.</summary>
/// <typeparam name="TPixel">The type of a pixel of the first image.</typeparam>
/// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
/// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels of the first image; valid until the delegate returns.</param>
/// <param name="accessor2">The pixels of the second image; valid until the delegate returns.</param>
/// <param name="state">What the caller passed.</param>
/// <returns>What was computed.</returns>
public delegate TResult PixelAccessorStateFunc<TPixel, TPixel2, TState, TResult>(
    PixelAccessor<TPixel> accessor, PixelAccessor<TPixel2> accessor2, TState state)
    where TPixel : unmanaged
    where TPixel2 : unmanaged
#if NET9_0_OR_GREATER
    where TState : allows ref struct
#endif
    ;

/// <summary>Computes something of the pixels of three images, with a state.</summary>
/// <typeparam name="TPixel">The type of a pixel of the first image.</typeparam>
/// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
/// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
/// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
/// <typeparam name="TResult">The type of the result.</typeparam>
/// <param name="accessor">The pixels of the first image; valid until the delegate returns.</param>
/// <param name="accessor2">The pixels of the second image; valid until the delegate returns.</param>
/// <param name="accessor3">The pixels of the third image; valid until the delegate returns.</param>
/// <param name="state">What the caller passed.</param>
/// <returns>What was computed.</returns>
public delegate TResult PixelAccessorStateFunc<TPixel, TPixel2, TPixel3, TState, TResult>(
    PixelAccessor<TPixel> accessor, PixelAccessor<TPixel2> accessor2, PixelAccessor<TPixel3> accessor3, TState state)
    where TPixel : unmanaged
    where TPixel2 : unmanaged
    where TPixel3 : unmanaged
#if NET9_0_OR_GREATER
    where TState : allows ref struct
#endif
    ;
