using System.Threading.Channels;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace ThumbnailService.Tests.Telemetry;

/// <summary>What OpenTelemetry pushes metrics to, over HTTP on a free port of this machine.</summary>
internal sealed class OtlpCollector : IAsyncDisposable
{
    /// <summary>Only a failure reaches it.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly WebApplication _app;
    private readonly Channel<byte[]> _received = Channel.CreateUnbounded<byte[]>();

    private OtlpCollector(WebApplication app) => _app = app;

    public string Address => _app.Urls.First();

    public static async Task<OtlpCollector> StartAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders();
        WebApplication app = builder.Build();
        var collector = new OtlpCollector(app);
        app.MapPost("/v1/metrics", collector.ReceiveAsync);
        await app.StartAsync(TestContext.Current.CancellationToken);
        return collector;
    }

    /// <summary>The first push that has not been looked at.</summary>
    public async Task<OtlpMetrics> NextAsync()
    {
        CancellationToken cancellation = TestContext.Current.CancellationToken;
        return OtlpMetrics.Read(await _received.Reader.ReadAsync(cancellation).AsTask().WaitAsync(s_limit, cancellation));
    }

    public async ValueTask DisposeAsync()
    {
        await _app.StopAsync();
        await _app.DisposeAsync();
    }

    private async Task<IResult> ReceiveAsync(HttpRequest request)
    {
        using var body = new MemoryStream();
        await request.Body.CopyToAsync(body);
        await _received.Writer.WriteAsync(body.ToArray());
        return Results.Ok();
    }
}
