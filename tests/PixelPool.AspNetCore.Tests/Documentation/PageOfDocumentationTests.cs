using System.Net;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PixelPool.AspNetCore.Tests.Infrastructure;

namespace PixelPool.AspNetCore.Tests.Documentation;

/// <summary>The snippets of the pages about the package, in web applications. Tests of the library compare them with the pages.</summary>
public sealed class PageOfDocumentationTests
{
    [Fact]
    public async Task The_page_of_the_package()
    {
        WebApplicationBuilder builder = CreateBuilder();
        builder.Services.AddAuthorizationBuilder().AddPolicy("operators", static policy => policy.RequireUserName("operator"));
        #region AspNetCore/PACKAGE.md
        builder.Services.AddPixelPool();
        builder.Services.AddHealthChecks().AddPixelPool();

        WebApplication app = builder.Build();
        app.MapPixelPool().RequireAuthorization("operators");
        app.MapHealthChecks("/health");
        #endregion
        await using WebApplication running = app;
        await app.StartAsync(TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.Forbidden, await GetAsync(app, "/pixelpool", "anybody"));
        Assert.Equal(HttpStatusCode.OK, await GetAsync(app, "/pixelpool", "operator"));
        Assert.Equal(HttpStatusCode.OK, await GetAsync(app, "/health", user: null));
    }

    [Fact]
    public async Task The_page_about_the_package()
    {
        WebApplicationBuilder builder = CreateBuilder();
        #region docs/aspnetcore.md
        builder.Services.AddPixelPool(options => options.MaxRentedBytes = 256L << 20);
        builder.Services.AddAuthentication("Cookies").AddCookie(); // or the scheme that your application has
        builder.Services.AddAuthorizationBuilder().AddPolicy("operators", policy => policy.RequireRole("operator"));

        WebApplication app = builder.Build();
        app.MapPixelPool().RequireAuthorization("operators");
        #endregion
        await using WebApplication running = app;
        await app.StartAsync(TestContext.Current.CancellationToken);

        // Whoever is not signed in: sent to where that is done, or refused, as the version of ASP.NET Core decides.
        Assert.True(await GetAsync(app, "/pixelpool", user: null) is HttpStatusCode.Found or HttpStatusCode.Unauthorized);
    }

    [Fact]
    public async Task An_allocator_of_the_application_is_shown()
    {
        WebApplicationBuilder builder = CreateBuilder();
        #region docs/aspnetcore.md
        builder.Services.AddKeyedSingleton("scanner", PixelAllocator.Create(new PixelAllocatorOptions { Name = "scanner" }));
        #endregion
        await using WebApplication app = builder.Build();
        app.MapPixelPool().AllowAnonymous();
        await app.StartAsync(TestContext.Current.CancellationToken);
        using HttpClient client = app.GetTestClient();
        Assert.Contains("<h2>scanner</h2>", await client.GetStringAsync("/pixelpool", TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_health_check_with_options()
    {
        WebApplicationBuilder builder = CreateBuilder();
        #region docs/aspnetcore.md
        builder.Services.AddHealthChecks().AddPixelPool(options =>
        {
            options.DegradedWait = TimeSpan.FromSeconds(2);
            options.UnhealthyWait = TimeSpan.FromSeconds(20);
            options.LeakWindow = TimeSpan.FromHours(1);
        });
        #endregion
        await using WebApplication app = builder.Build();
        app.MapHealthChecks("/health");
        await app.StartAsync(TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.OK, await GetAsync(app, "/health", user: null));
    }

    private static WebApplicationBuilder CreateBuilder()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseTestServer();
        builder.Logging.ClearProviders();
        builder.Services.AddAuthentication(HeaderAuthentication.SchemeName)
            .AddScheme<AuthenticationSchemeOptions, HeaderAuthentication>(HeaderAuthentication.SchemeName, null);
        return builder;
    }

    private static async Task<HttpStatusCode> GetAsync(WebApplication app, string address, string? user)
    {
        using HttpClient client = app.GetTestClient();
        if (user is not null)
        {
            client.DefaultRequestHeaders.Add(HeaderAuthentication.Header, user);
        }

        using HttpResponseMessage response = await client.GetAsync(new Uri(address, UriKind.Relative), TestContext.Current.CancellationToken);
        return response.StatusCode;
    }
}
