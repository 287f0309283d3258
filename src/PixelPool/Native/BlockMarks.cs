namespace PixelPool.Native;

/// <summary>What is known of a live block.</summary>
[Flags]
internal enum BlockMarks : byte
{
    /// <summary>Nothing.</summary>
    None = 0,

    /// <summary>It was moved, and is a mapping of its own.</summary>
    Moved = 1,

    /// <summary>Somebody is mapping blocks below it, the last page of which is its margin.</summary>
    Claimed = 2,

    /// <summary>Nobody may begin to map blocks below it.</summary>
    NothingBelow = 4,
}
