using PixelPool.Accounts;

namespace PixelPool.Trimming;

/// <summary>Something that keeps idle memory and can give it back to the system.</summary>
internal interface ITrimmable
{
    /// <summary>Whether there is something that trimming could give back or let go.</summary>
    bool HasIdle { get; }

    /// <summary>Looks at the available memory again, and gives back what is idle above the part of it that may be held. Never throws.</summary>
    void RefreshCapacity();

    /// <summary>Gives idle memory back until at most so many bytes stay idle, and tells of it.</summary>
    /// <returns>Bytes given back.</returns>
    long TrimTo(long idleBytes, TrimReason reason);

    /// <summary>Ends a period: gives back what the policy wants to, and tells of it.</summary>
    void TrimByPolicy(TrimPolicy policy, TrimReason reason);
}
