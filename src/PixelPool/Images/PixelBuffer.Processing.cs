using System.Runtime.CompilerServices;

namespace PixelPool;

// Delegates over one, two and three images. Each image is referenced once before the call and released once after it.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>Calls a delegate with the pixels, on this thread.</summary>
    /// <param name="process">Receives the pixels. It may dispose the image, or process it or others again; the memory stays valid until it returns.</param>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRows(PixelAccessorAction<TPixel> process)
    {
        using PixelReference pixels = HoldFor(process);
        process(pixels.Access<TPixel>());
    }

    /// <summary>Calls a delegate with the pixels and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. It may dispose the image, or process it or others again; the memory stays valid until it returns.</param>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public void ProcessPixelRows<TState>(TState state, PixelAccessorStateAction<TPixel, TState> process)
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        using PixelReference pixels = HoldFor(process);
        process(pixels.Access<TPixel>(), state);
    }

    /// <summary>Calls a delegate with the pixels of two images, on this thread.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the other image.</typeparam>
    /// <param name="other">The second image; it may be this one again, and its size may differ.</param>
    /// <param name="process">Receives the pixels. The memory of both stays valid until it returns.</param>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public void ProcessPixelRows<TPixel2>(PixelBuffer<TPixel2> other, PixelAccessorAction<TPixel, TPixel2> process)
        where TPixel2 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        ProcessPixelRows(other, process, static (first, second, action) => action(first, second));
    }

    /// <summary>Calls a delegate with the pixels of two images and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the other image.</typeparam>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <param name="other">The second image; it may be this one again, and its size may differ.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory of both stays valid until it returns.</param>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void ProcessPixelRows<TPixel2, TState>(
        PixelBuffer<TPixel2> other, TState state, PixelAccessorStateAction<TPixel, TPixel2, TState> process)
        where TPixel2 : unmanaged
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        Throw.IfNull(other, nameof(other));
        AsLease().ProcessPixelRows(other.AsLease(), state, process);
    }

    /// <summary>Calls a delegate with the pixels of three images, on this thread.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <param name="other">The second image; any of the three may be the same, and their sizes may differ.</param>
    /// <param name="third">The third image.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public void ProcessPixelRows<TPixel2, TPixel3>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, PixelAccessorAction<TPixel, TPixel2, TPixel3> process)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        ProcessPixelRows(other, third, process, static (a, b, c, action) => action(a, b, c));
    }

    /// <summary>Calls a delegate with the pixels of three images and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <param name="other">The second image; any of the three may be the same, and their sizes may differ.</param>
    /// <param name="third">The third image.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public void ProcessPixelRows<TPixel2, TPixel3, TState>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, TState state, PixelAccessorStateAction<TPixel, TPixel2, TPixel3, TState> process)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        Throw.IfNull(other, nameof(other));
        Throw.IfNull(third, nameof(third));
        AsLease().ProcessPixelRows(other.AsLease(), third.AsLease(), state, process);
    }

    /// <summary>Calls a delegate with all pixels as one span, where they are one contiguous run without gaps.</summary>
    /// <param name="process">Receives width × height pixels, row by row. The memory stays valid until it returns.</param>
    /// <returns>
    /// False when they are not one run: several blocks, gaps between rows, or more than <see cref="int.MaxValue"/> pixels. The delegate is not called then.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public bool TryProcessSinglePixelSpan(SpanAction<TPixel> process) => AsLease().TryProcessSinglePixelSpan(process);
}
