using PixelPool.Diagnostics;

namespace PixelPool.AspNetCore.Reports;

/// <summary>A request that waits for budget.</summary>
/// <param name="Bytes">What it asks for.</param>
/// <param name="WaitedSeconds">How long it has waited.</param>
/// <param name="Budget">What it waits for, in words.</param>
/// <param name="Tag">What it is for. Null without a tag.</param>
/// <param name="Place">The line that asked. Null where that was not recorded.</param>
internal sealed record WaitReport(long Bytes, double WaitedSeconds, string Budget, string? Tag, string? Place)
{
    public static WaitReport Of(WaitingRent wait) => new(wait.Bytes, wait.Waited.TotalSeconds, wait.Budget, wait.Tag, wait.Place);
}
