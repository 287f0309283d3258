namespace PixelPool.Lifetime;

/// <summary>A request that waits for budget, at one moment.</summary>
/// <param name="Bytes">Bytes that it asks for.</param>
/// <param name="Waited">How long it has waited.</param>
/// <param name="Budget">What it waits for: stands behind "the".</param>
/// <param name="Tag">What the rent will be for, if that was said.</param>
/// <param name="Trace">What is remembered of who asked, if anything is.</param>
internal readonly record struct WaitFacts(long Bytes, TimeSpan Waited, string Budget, string? Tag, RentTrace? Trace);
