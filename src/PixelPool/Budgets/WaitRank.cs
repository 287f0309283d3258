namespace PixelPool.Budgets;

/// <summary>Who of those that wait for a budget comes first.</summary>
internal enum WaitRank
{
    /// <summary>It is small against the budget: so little may be all that somebody needs to finish and to return much.</summary>
    Small,

    /// <summary>Whoever asks holds memory already, which others may wait for.</summary>
    Holder,

    /// <summary>Any other one.</summary>
    Other,
}
