namespace PixelPool.Stress.Waiting;

/// <summary>What became of the operations of a case.</summary>
/// <param name="Succeeded">How many got all they asked for.</param>
/// <param name="Refused">How many were refused by a budget.</param>
/// <param name="Stalled">How many were still waiting when the time was over, and what they waited for.</param>
/// <param name="Seconds">How long all of it took.</param>
/// <param name="LongWaits">The requests that were reported because they waited long.</param>
/// <param name="DeadlockReports">How many of these reports said that it is a deadlock.</param>
/// <param name="IsQuiet">Whether nothing was rented, charged or waiting at the end.</param>
internal sealed record WaitingResult(int Succeeded, int Refused, int Stalled, double Seconds, long LongWaits, int DeadlockReports, bool IsQuiet)
{
    /// <summary>Whether it is as it must be.</summary>
    public bool Is(WaitingCase expected) =>
        IsQuiet && Stalled == 0 && expected.End switch
        {
            WaitingEnd.AllSucceed => Succeeded == expected.Operations && DeadlockReports == 0,
            WaitingEnd.RefusedByName => Succeeded + Refused == expected.Operations,
            _ => Refused > 0 && DeadlockReports > 0,
        };
}
