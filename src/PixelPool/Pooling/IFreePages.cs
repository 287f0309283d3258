using PixelPool.Native;
using PixelPool.Trimming;

namespace PixelPool.Pooling;

/// <summary>Blocks that are cut, and of which a part is in use: the pages of the rest can go back to the system. What is counted does not change: blocks are.</summary>
internal interface IFreePages
{
    /// <summary>Whether something came back since pages went last.</summary>
    bool HasFreePages { get; }

    /// <summary>Lets them go.</summary>
    void DiscardFreePages(BlockSource source);

    /// <summary>Ends a period: lets pages go if the policy wants to.</summary>
    void EndPeriod(TrimPolicy policy, BlockSource source);
}
