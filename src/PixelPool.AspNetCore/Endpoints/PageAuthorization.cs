using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace PixelPool.AspNetCore.Endpoints;

/// <summary>Nobody sees the page unless the application said who may.</summary>
internal static class PageAuthorization
{
    private const string HowToAllow =
        "The page of PixelPool asks for authorization, and this application has none. Add it: builder.Services.AddAuthentication(…) and AddAuthorization(). Or say in so many words "
        + "that everybody who reaches the address may see the page: app.MapPixelPool().AllowAnonymous().";

    /// <summary>Asks for the default policy of the application, unless there is another word on who may see the page: of its own, or the fallback policy.</summary>
    public static void Require(EndpointBuilder endpoint)
    {
        if (endpoint.Metadata.Any(static data => data is IAllowAnonymous))
        {
            return;
        }

        if (endpoint.ApplicationServices.GetService<IAuthorizationPolicyProvider>() is not { } policies)
        {
            // Nobody would look at a policy here. Only this page fails, the rest of the application is as it was.
            endpoint.RequestDelegate = static _ => throw new InvalidOperationException(HowToAllow);
        }
        else if (!endpoint.Metadata.Any(static data => data is IAuthorizeData or AuthorizationPolicy or IAuthorizationRequirementData))
        {
            // Without the attribute nobody would notice that the middleware is missing. Alone it stands for the default policy, which can ask for less than the fallback policy.
            endpoint.Metadata.Add(new AuthorizeAttribute());
            try
            {
                if (policies.GetFallbackPolicyAsync().GetAwaiter().GetResult() is { } fallback)
                {
                    endpoint.Metadata.Add(fallback);
                }
            }
#pragma warning disable CA1031 // Whatever the application's provider throws: only this page fails here, too.
            catch (Exception failure)
            {
                endpoint.RequestDelegate = _ => throw new InvalidOperationException("The fallback policy of the application is not known, so the page of PixelPool cannot ask for it.", failure);
            }
#pragma warning restore CA1031
        }
    }
}
