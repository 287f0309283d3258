using System.Runtime.CompilerServices;

namespace PixelPool;

// Results of delegates on the caller's thread.
public sealed partial class PixelBuffer<TPixel>
{
    /// <summary>Computes something of the pixels, on this thread.</summary>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="process">Receives the pixels. The memory stays valid until it returns.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public TResult ProcessPixelRows<TResult>(PixelAccessorFunc<TPixel, TResult> process)
    {
        using PixelReference pixels = HoldFor(process);
        return process(pixels.Access<TPixel>());
    }

    /// <summary>Computes something of the pixels and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory stays valid until it returns.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The buffer was disposed before the call.</exception>
    public TResult ProcessPixelRows<TState, TResult>(TState state, PixelAccessorStateFunc<TPixel, TState, TResult> process)
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        using PixelReference pixels = HoldFor(process);
        return process(pixels.Access<TPixel>(), state);
    }

    /// <summary>Computes something of the pixels of two images, on this thread.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="other">The second image; it may be this one again, and its size may differ.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public TResult ProcessPixelRows<TPixel2, TResult>(PixelBuffer<TPixel2> other, PixelAccessorFunc<TPixel, TPixel2, TResult> process)
        where TPixel2 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        return ProcessPixelRows(other, process, static (first, second, func) => func(first, second));
    }

    /// <summary>Computes something of the pixels of two images and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="other">The second image; it may be this one again, and its size may differ.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public TResult ProcessPixelRows<TPixel2, TState, TResult>(
        PixelBuffer<TPixel2> other, TState state, PixelAccessorStateFunc<TPixel, TPixel2, TState, TResult> process)
        where TPixel2 : unmanaged
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        Throw.IfNull(other, nameof(other));
        using PixelReference first = HoldFor(process);
        using PixelReference second = other.Hold();
        return process(first.Access<TPixel>(), second.Access<TPixel2>(), state);
    }

    /// <summary>Computes something of the pixels of three images, on this thread.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="other">The second image; it may be this one again, and its size may differ.</param>
    /// <param name="third">The third image.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public TResult ProcessPixelRows<TPixel2, TPixel3, TResult>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, PixelAccessorFunc<TPixel, TPixel2, TPixel3, TResult> process)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        return ProcessPixelRows(other, third, process, static (first, second, last, func) => func(first, second, last));
    }

    /// <summary>Computes something of the pixels of three images and a state, on this thread. With a static lambda nothing is allocated.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the second image.</typeparam>
    /// <typeparam name="TPixel3">The type of a pixel of the third image.</typeparam>
    /// <typeparam name="TState">The type of the state; on .NET 10 it may be a <c>ref struct</c>, such as a span.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="other">The second image; it may be this one again, and its size may differ.</param>
    /// <param name="third">The third image.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public TResult ProcessPixelRows<TPixel2, TPixel3, TState, TResult>(
        PixelBuffer<TPixel2> other, PixelBuffer<TPixel3> third, TState state, PixelAccessorStateFunc<TPixel, TPixel2, TPixel3, TState, TResult> process)
        where TPixel2 : unmanaged
        where TPixel3 : unmanaged
#if NET9_0_OR_GREATER
        where TState : allows ref struct
#endif
    {
        Throw.IfNull(other, nameof(other));
        Throw.IfNull(third, nameof(third));
        using PixelReference first = HoldFor(process);
        using PixelReference second = other.Hold();
        using PixelReference last = third.Hold();
        return process(first.Access<TPixel>(), second.Access<TPixel2>(), last.Access<TPixel3>(), state);
    }

    /// <summary>Computes something of the pixels of this image and of any number of others, on this thread. Allocates one small array.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the others.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="others">The others; any of them may be this one again, and their sizes may differ.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentException">One of the others is null.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    [OverloadResolutionPriority(1)]
    public TResult ProcessPixelRows<TPixel2, TResult>(ReadOnlySpan<PixelBuffer<TPixel2>> others, PixelAccessorListFunc<TPixel, TPixel2, TResult> process)
        where TPixel2 : unmanaged
    {
        Throw.IfNull(process, nameof(process));
        return ProcessPixelRows(others, process, static (accessor, others, func) => func(accessor, others));
    }

    /// <summary>Computes something of the pixels of this image and of any number of others and a state, on this thread. Allocates one small array.</summary>
    /// <typeparam name="TPixel2">The type of a pixel of the others.</typeparam>
    /// <typeparam name="TState">The type of the state.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="others">The others; any of them may be this one again, and their sizes may differ.</param>
    /// <param name="state">Passed to the delegate.</param>
    /// <param name="process">Receives the pixels. The memory of all stays valid until it returns.</param>
    /// <returns>What the delegate returned.</returns>
    /// <exception cref="ArgumentException">One of the others is null.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="process"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">One of the buffers was disposed before the call.</exception>
    public TResult ProcessPixelRows<TPixel2, TState, TResult>(
        ReadOnlySpan<PixelBuffer<TPixel2>> others, TState state, PixelAccessorListFunc<TPixel, TPixel2, TState, TResult> process)
        where TPixel2 : unmanaged
    {
        using PixelReference pixels = HoldFor(process);
        using PixelReferences held = PixelReferences.Hold(others);
        return process(pixels.Access<TPixel>(), new PixelAccessorList<TPixel2>(held.References), state);
    }
}
