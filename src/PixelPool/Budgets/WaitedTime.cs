namespace PixelPool.Budgets;

/// <summary>How long a request waited that was not let in.</summary>
/// <param name="Limit">The time that it had.</param>
/// <param name="Option">The option that says so.</param>
internal readonly record struct WaitedTime(TimeSpan Limit, string Option);
