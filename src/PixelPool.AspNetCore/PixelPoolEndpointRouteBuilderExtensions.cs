using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Routing;
using PixelPool;
using PixelPool.AspNetCore.Endpoints;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Maps the page of PixelPool.</summary>
public static class PixelPoolEndpointRouteBuilderExtensions
{
    /// <summary>
    /// Maps a page that shows the memory of the application's allocators: rented, idle and resident memory over time, budgets and who waits for them, which lines of
    /// code hold what and for how long, leaks, and what was disposed twice. The same address answers tools in JSON.
    /// </summary>
    /// <param name="endpoints">Where the page is mapped: the application, or a group of routes.</param>
    /// <param name="pattern">The address. Default: <c>/pixelpool</c>.</param>
    /// <returns>A builder with which the page is configured further, such as <c>RequireAuthorization("operators")</c>.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <remarks>
    /// <para>
    /// <b>Authorization.</b> The page tells about the code, and in tags perhaps about customers. Unless the returned builder or the group has a policy of its own, it asks for the
    /// fallback policy of the application, or, if there is none, for the default policy, as <c>RequireAuthorization()</c> does: by default that is a user who is signed in. An
    /// application without authorization answers with an <see cref="InvalidOperationException"/>, which says what to do. Only <c>AllowAnonymous()</c> opens the page to everybody
    /// who reaches the address.
    /// </para>
    /// <para>
    /// <b>Allocators.</b> The page shows every <see cref="PixelAllocator"/> that is a singleton among the services, with and without a key, such as those of
    /// <c>AddPixelPool</c>. <see cref="PixelAllocator.Shared"/> is shown as soon as something was rented from it, or if there is no other.
    /// </para>
    /// <para>
    /// <b>Cost.</b> A page that nobody asks for costs nothing. Each request starts or prolongs sampling: once a second, until 5 minutes after the last request. The last
    /// 10 minutes are kept, in about 30 KiB for each allocator. A request lists all rents, which takes about a hundred nanoseconds for each. Time is the <see cref="TimeProvider"/> among
    /// the services. Default: <see cref="TimeProvider.System"/>.
    /// </para>
    /// <para>
    /// <b>JSON</b> is the answer to <c>Accept: application/json</c>, and to <c>?format=json</c>. Sizes are in bytes, ages in seconds. <b>HTML</b> loads itself again every 5 seconds, or as
    /// often as <c>?refresh=30</c> says, from 1 to 3,600 seconds. <c>?refresh=0</c> stops that. It has no scripts, and nothing of it comes from elsewhere.
    /// </para>
    /// </remarks>
    public static IEndpointConventionBuilder MapPixelPool(this IEndpointRouteBuilder endpoints, [StringSyntax("Route")] string pattern = "/pixelpool")
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(pattern);
        MemoryEndpoint page = MemoryEndpoint.Create(endpoints.ServiceProvider);
        IEndpointConventionBuilder endpoint = endpoints.MapMethods(pattern, ["GET", "HEAD"], page.HandleAsync).WithDisplayName("PixelPool");

        // Last of all conventions: only then it is known whether somebody said who may see the page.
        endpoint.Finally(PageAuthorization.Require);
        return endpoint;
    }
}
