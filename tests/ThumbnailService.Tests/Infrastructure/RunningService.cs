using System.Net.Http.Headers;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using PixelPool;

namespace ThumbnailService.Tests.Infrastructure;

/// <summary>The service itself on a free port of this machine, and a client of it.</summary>
internal sealed class RunningService : IAsyncDisposable
{
    /// <summary>Only a failure reaches it.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly WebApplication _app;
    private readonly Complaints _complaints;

    private RunningService(WebApplication app, Complaints complaints)
    {
        _app = app;
        _complaints = complaints;
        Client = new HttpClient { BaseAddress = new Uri(app.Urls.First()), Timeout = s_limit };
    }

    public HttpClient Client { get; }

    public IServiceProvider Services => _app.Services;

    public PixelAllocator Allocator => _app.Services.GetRequiredService<PixelAllocator>();

    public PixelPoolStatistics Statistics => Allocator.GetStatistics();

    /// <param name="settings">For example <c>Thumbnails:Memory=Managed</c>.</param>
    public static Task<RunningService> StartAsync(params string[] settings) =>
        StartAsync([.. settings.Select(setting => $"--{setting}")], static _ => { });

    /// <param name="arguments">The command line.</param>
    /// <param name="configure">What the test wants otherwise.</param>
    public static async Task<RunningService> StartAsync(string[] arguments, Action<IServiceCollection> configure)
    {
        var complaints = new Complaints();
        WebApplication app = ThumbnailApp.Create(arguments, builder =>
        {
            builder.WebHost.UseUrls("http://127.0.0.1:0");
            builder.Logging.ClearProviders().AddProvider(complaints);
            configure(builder.Services);
        });
        await app.StartAsync(TestContext.Current.CancellationToken);
        return new RunningService(app, complaints);
    }

    public Task<HttpResponseMessage> SendAsync(byte[] file) => SendAsync(file, TestContext.Current.CancellationToken);

    public async Task<HttpResponseMessage> SendAsync(byte[] file, CancellationToken cancellation)
    {
        using var body = new ByteArrayContent(file);
        body.Headers.ContentType = new MediaTypeHeaderValue("image/jpeg");
        return await Client.PostAsync("thumbnail", body, cancellation);
    }

    public Task<RawConnection> ConnectAsync() => RawConnection.OpenAsync(Client.BaseAddress!);

    /// <summary>Waits for what other threads are about to do.</summary>
    public void WaitUntil(Predicate<PixelPoolStatistics> holds) =>
        Assert.True(SpinWait.SpinUntil(() => holds(Statistics), s_limit), Statistics.ToString());

    /// <summary>A request gives its memory back before it is answered.</summary>
    public void AssertNothingIsHeld()
    {
        Assert.Equal(0, Statistics.RentedBytes);
        Assert.Equal(0, Statistics.ChargedBytes);
        Assert.Equal(0, Statistics.LeakedCount);
    }

    /// <summary>Stops the service, which waits for requests that are under way, and looks at what it logged until then.</summary>
    public async Task AssertItStopsWithoutComplaintAsync()
    {
        await _app.StopAsync(TestContext.Current.CancellationToken);
        Assert.True(!_complaints.Lines.Any(), string.Join('\n', _complaints.Lines));
        AssertNothingIsHeld();
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _app.StopAsync();
        await _app.DisposeAsync();
    }
}
