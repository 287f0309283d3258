using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using PixelPool.AspNetCore.Allocators;
using PixelPool.AspNetCore.History;
using PixelPool.AspNetCore.Page;
using PixelPool.AspNetCore.Reports;
using PixelPool.Diagnostics.Sampling;

namespace PixelPool.AspNetCore.Endpoints;

/// <summary>Answers requests for the page.</summary>
/// <param name="reader">Reads what is shown.</param>
internal sealed class MemoryEndpoint(ReportReader reader)
{
    public static MemoryEndpoint Create(IServiceProvider provider)
    {
        TimeProvider time = provider.GetService<TimeProvider>() ?? TimeProvider.System;
        var allocators = new AllocatorList(provider);
        var history = new MemoryHistory(allocators, time, ResidentMemory.Current);

        // Not after the end: what the application rented of is disposed then, and the timer would keep all of it.
        provider.GetService<IHostApplicationLifetime>()?.ApplicationStopping.Register(history.Stop);
        return new MemoryEndpoint(new ReportReader(allocators, history, time, ResidentMemory.Current));
    }

    public async Task HandleAsync(HttpContext context)
    {
        // All of it is there before anything is sent: what goes wrong is an error, not half a page.
        var request = PageRequest.Of(context.Request);
        MemoryReport report = reader.Read();
        byte[] body = request.WantsJson
            ? JsonSerializer.SerializeToUtf8Bytes(report, ReportJson.Default.MemoryReport)
            : Encoding.UTF8.GetBytes(MemoryPage.Write(report, request.RefreshSeconds));

        HttpResponse response = context.Response;
        response.ContentType = request.WantsJson ? "application/json; charset=utf-8" : "text/html; charset=utf-8";
        response.ContentLength = body.Length;
        SetHeaders(response.Headers);
        if (HttpMethods.IsHead(context.Request.Method))
        {
            return;
        }

        try
        {
            await response.Body.WriteAsync(body, context.RequestAborted).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (context.RequestAborted.IsCancellationRequested)
        {
            // Who asked has gone.
        }
    }

    private static void SetHeaders(IHeaderDictionary headers)
    {
        headers.CacheControl = "no-store";
        headers.Vary = "Accept";
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers.ContentSecurityPolicy = $"default-src 'none'; style-src '{PageStyle.Hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }
}
