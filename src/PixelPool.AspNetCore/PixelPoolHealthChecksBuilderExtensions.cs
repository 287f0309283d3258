using Microsoft.Extensions.Diagnostics.HealthChecks;
using PixelPool;
using PixelPool.AspNetCore;
using PixelPool.AspNetCore.Allocators;
using PixelPool.AspNetCore.Health;
using PixelPool.Diagnostics;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds the health check of PixelPool.</summary>
public static class PixelPoolHealthChecksBuilderExtensions
{
    /// <summary>Adds a check of the application's allocators: whether requests wait too long for budget, whether waits are a deadlock, and whether something leaked.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="configure">Changes the options. Default: null, no changes.</param>
    /// <param name="name">The name of the check. Default: <c>pixelpool</c>.</param>
    /// <param name="failureStatus">What an unhealthy check reports. Default: null, which is <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">Tags by which checks are chosen. Default: null, no tags.</param>
    /// <returns><paramref name="builder"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> or <paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">An option is negative.</exception>
    /// <remarks>
    /// <para>
    /// It looks at the allocators that the page of <c>MapPixelPool</c> shows. It is unhealthy while a request has waited longer than
    /// <see cref="PixelPoolHealthCheckOptions.UnhealthyWait"/>, and while requests wait that <see cref="PixelAllocator.LongWait"/> reported as a deadlock
    /// (<see cref="LongWaitEventArgs.IsDeadlock"/>) since the first check, until one of those that waited then waits no more. It is degraded while a request has waited longer than
    /// <see cref="PixelPoolHealthCheckOptions.DegradedWait"/>, and for <see cref="PixelPoolHealthCheckOptions.LeakWindow"/> after a check found more leaks than the one before.
    /// </para>
    /// <para>
    /// A check reads the statistics of each allocator, which takes microseconds. The description names the allocators and what is wrong. The data have the figures of each, as text.
    /// Of several with one name, the second is <c>name (2)</c> there.
    /// </para>
    /// </remarks>
    public static IHealthChecksBuilder AddPixelPool(
        this IHealthChecksBuilder builder,
        Action<PixelPoolHealthCheckOptions>? configure = null,
        string name = "pixelpool",
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(name);
        var options = new PixelPoolHealthCheckOptions();
        configure?.Invoke(options);
        options.Validate();

        // One for each name: it remembers what earlier checks found. The container disposes it.
        builder.Services.AddKeyedSingleton(
            name, (provider, _) => new PixelPoolHealthCheck(new AllocatorList(provider), options, provider.GetService<TimeProvider>() ?? TimeProvider.System));
        return builder.Add(new HealthCheckRegistration(name, provider => provider.GetRequiredKeyedService<PixelPoolHealthCheck>(name), failureStatus, tags));
    }
}
