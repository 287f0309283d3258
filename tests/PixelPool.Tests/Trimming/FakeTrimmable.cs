using PixelPool.Accounts;
using PixelPool.Trimming;

namespace PixelPool.Tests.Trimming;

/// <summary>A pool with as much idle memory as a test says, which counts what a scheduler asks of it.</summary>
internal sealed class FakeTrimmable : ITrimmable
{
    public long IdleBytes { get; set; }

    /// <summary>What the end of a period gives back, if it is idle.</summary>
    public long DueBytes { get; set; } = long.MaxValue;

    /// <summary>What was given back, and why.</summary>
    public List<(long Bytes, TrimReason Reason)> Trimmed { get; } = [];

    public int Refreshes { get; private set; }

    public int EndedPeriods { get; private set; }

    /// <summary>Called after memory was given back.</summary>
    public Action? OnReleased { get; set; }

    /// <summary>Called after a look that found nothing idle.</summary>
    public Action? OnNothingIdle { get; set; }

    public bool HasIdle
    {
        get
        {
            bool isIdle = IdleBytes > 0;
            if (!isIdle)
            {
                OnNothingIdle?.Invoke();
            }

            return isIdle;
        }
    }

    public void RefreshCapacity() => Refreshes++;

    public long TrimTo(long idleBytes, TrimReason reason)
    {
        long released = Math.Max(0, IdleBytes - idleBytes);
        IdleBytes -= released;
        if (released != 0)
        {
            Trimmed.Add((released, reason));
        }

        OnReleased?.Invoke();
        return released;
    }

    public void TrimByPolicy(TrimPolicy policy, TrimReason reason)
    {
        EndedPeriods++;
        TrimTo(Math.Max(0, IdleBytes - DueBytes), reason);
    }
}
