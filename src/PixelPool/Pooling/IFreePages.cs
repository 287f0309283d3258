namespace PixelPool.Pooling;

/// <summary>Blocks that are cut, and of which a part is in use: the pages of the rest can go back to the system. What is counted does not change: blocks are.</summary>
internal interface IFreePages
{
    /// <summary>Whether something came back since pages went last.</summary>
    bool HasFreePages { get; }

    /// <summary>Lets them go.</summary>
    void DiscardFreePages();

    /// <summary>Ends a period of the policy.</summary>
    /// <returns>Whether they are to go: nothing came back during all periods that are remembered.</returns>
    bool EndPeriod();
}
