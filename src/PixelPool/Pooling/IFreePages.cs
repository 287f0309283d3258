using PixelPool.Native;

namespace PixelPool.Pooling;

/// <summary>Blocks that are cut, and of which a part is in use: the pages of the rest can go back to the system. What is counted does not change: blocks are.</summary>
internal interface IFreePages
{
    /// <summary>Whether something came back since pages went last.</summary>
    bool HasFreePages { get; }

    /// <summary>Lets them go.</summary>
    void DiscardFreePages(BlockSource source);

    /// <summary>Ends a period of the policy: lets them go if nothing came back during all that are remembered.</summary>
    void EndPeriod(BlockSource source);
}
