namespace PixelPool.Tests.Buffers;

/// <summary>Every way in which an image can lie in memory.</summary>
public enum MemoryTier
{
    /// <summary>An array of the ArrayPool.</summary>
    Array,

    /// <summary>A piece of a slab.</summary>
    Slab,

    /// <summary>One pooled block.</summary>
    OneBlock,

    /// <summary>Several pooled blocks, the last of them partly used.</summary>
    SeveralBlocks,

    /// <summary>Several pieces straight from the system.</summary>
    UnpooledPieces,

    /// <summary>Asked to be contiguous, and so small that it is anyway.</summary>
    ContiguousSmall,

    /// <summary>Asked to be contiguous, in one pooled block.</summary>
    ContiguousOneBlock,

    /// <summary>Asked to be contiguous and larger than a block: pooled blocks side by side.</summary>
    ContiguousLarge,

    /// <summary>Rows longer than a block: pooled blocks side by side.</summary>
    LongRows,

    /// <summary>Rows longer than an unpooled piece: pooled blocks side by side.</summary>
    VeryLongRows,

    /// <summary>Asked to be contiguous and larger than the pool: one piece straight from the system.</summary>
    UnpooledContiguous,

    /// <summary>Rows longer than an unpooled piece, more than the pool holds: one piece straight from the system.</summary>
    UnpooledLongRows,
}
