namespace PixelPool.Tests.Streams;

/// <summary>What a stream went through before a test uses it.</summary>
public enum StreamState
{
    /// <summary>Nothing was written.</summary>
    New,

    /// <summary>With content, at its start.</summary>
    AtTheStart,

    /// <summary>With content, in the middle of it.</summary>
    InTheMiddle,

    /// <summary>With content, behind its last byte.</summary>
    AtTheEnd,

    /// <summary>With content, far behind its last byte.</summary>
    BeyondTheEnd,

    /// <summary>At the end, where memory of the stream is lent to a writer and was written to.</summary>
    Lent,

    /// <summary>As <see cref="Lent"/>, but the memory goes over the end of a block.</summary>
    LentAcrossBlocks,

    /// <summary>Disposed.</summary>
    Disposed,
}
