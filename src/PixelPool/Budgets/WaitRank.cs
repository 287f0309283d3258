namespace PixelPool.Budgets;

/// <summary>Who of those that wait for a budget comes first.</summary>
internal enum WaitRank
{
    /// <summary>Whoever asks holds much already, more than what is small against the budget, and needs little: that may be all that is missing to return much.</summary>
    SmallOfHolder,

    /// <summary>It is small against the budget. Whoever asks holds little, or nothing, or it is not known what: asynchronous code goes on on any thread.</summary>
    Small,

    /// <summary>Whoever asks holds memory already.</summary>
    Holder,

    /// <summary>Any other one.</summary>
    Other,
}
