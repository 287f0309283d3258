namespace PixelPool.Tests.Streams;

/// <summary>The ways in which a stream is read and written.</summary>
public enum TransferForm
{
    /// <summary>A span.</summary>
    Span,

    /// <summary>A range of an array.</summary>
    Array,

    /// <summary>A range of an array, with a task.</summary>
    ArrayAsync,

    /// <summary>Memory, with a task.</summary>
    MemoryAsync,

    /// <summary>A range of an array, between <c>Begin</c> and <c>End</c>.</summary>
    BeginEnd,
}
