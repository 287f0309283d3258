using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace PixelPool.AspNetCore.Health;

/// <summary>Something that is wrong with an allocator.</summary>
/// <param name="Status">How bad it is.</param>
/// <param name="Text">What it is, in a sentence.</param>
internal readonly record struct HealthFinding(HealthStatus Status, string Text);
