using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PixelPool.Testing;

namespace PixelPool.AspNetCore.Tests.Infrastructure;

/// <summary>An application with the page, without a network. Its clock stands still.</summary>
internal sealed class TestApplication : IAsyncDisposable
{
    public const long BlockBytes = 1 << 20;

    private readonly WebApplication _app;

    private TestApplication(WebApplication app)
    {
        _app = app;
        Client = app.GetTestClient();
    }

    public HttpClient Client { get; }

    public IServiceProvider Services => _app.Services;

    public TestServer Server => _app.GetTestServer();

    public PixelAllocator Allocator => Services.GetRequiredService<PixelAllocator>();

    public ManualTime Time => (ManualTime)Services.GetRequiredService<TimeProvider>();

    /// <summary>An application in which everybody may see the page.</summary>
    public static Task<TestApplication> StartOpenAsync(Action<IServiceCollection>? configure = null) =>
        StartAsync(configure ?? (static _ => { }), static app => app.MapPixelPool().AllowAnonymous());

    /// <summary>An application that knows users by a header.</summary>
    public static Task<TestApplication> StartWithUsersAsync(Action<IEndpointRouteBuilder> map, Action<IServiceCollection>? configure = null) => StartAsync(
        services =>
        {
            services.AddAuthentication(HeaderAuthentication.SchemeName)
                .AddScheme<AuthenticationSchemeOptions, HeaderAuthentication>(HeaderAuthentication.SchemeName, null);
            services.AddAuthorizationBuilder()
                .AddPolicy("operators", static policy => policy.RequireUserName("operator"))
                .AddPolicy("anybody", static policy => policy.RequireAssertion(static _ => true));
            configure?.Invoke(services);
        },
        map);

    /// <param name="configure">The services.</param>
    /// <param name="map">The routes.</param>
    public static async Task<TestApplication> StartAsync(Action<IServiceCollection> configure, Action<WebApplication> map)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseTestServer();
        builder.Logging.ClearProviders();
        var time = new ManualTime();
        builder.Services.AddSingleton<TimeProvider>(time);
        builder.Services.ConfigureAll<PixelAllocatorOptions>(options =>
        {
            options.BlockBytes = (int)BlockBytes;

            // How many bytes an array has depends on where it lies.
            options.SmallBufferThresholdBytes = 0;
            options.LeakTracking = LeakTracking.Full;
            options.TimeProvider = time;
            options.TrimPolicy = TrimPolicy.None;
        });
        builder.Services.AddPixelPool("thumbnails", static _ => { });
        builder.Services.AddSingleton(static provider => provider.GetRequiredKeyedService<PixelAllocator>("thumbnails"));
        configure(builder.Services);
        WebApplication app = builder.Build();
        map(app);
        await app.StartAsync(TestContext.Current.CancellationToken);
        return new TestApplication(app);
    }

    public Task<string> GetPageAsync(string address = "/pixelpool") => Client.GetStringAsync(new Uri(address, UriKind.Relative), TestContext.Current.CancellationToken);

    public async Task<HttpResponseMessage> GetAsync(string? user = null, string address = "/pixelpool", string? accept = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, address);
        if (user is not null)
        {
            request.Headers.Add(HeaderAuthentication.Header, user);
        }

        if (accept is not null)
        {
            request.Headers.TryAddWithoutValidation("Accept", accept);
        }

        return await Client.SendAsync(request, TestContext.Current.CancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _app.StopAsync();
        await _app.DisposeAsync();
    }
}
