using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ThumbnailService;

/// <summary>Bounds what the server itself holds: bytes of uploads that wait, and how long a slow sender may keep the memory that is reserved for it.</summary>
internal static class ConnectionLimits
{
    /// <summary>How long a connection may be open without a request: others need its place.</summary>
    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan s_headers = TimeSpan.FromSeconds(10);

    /// <summary>What a body may take that comes too slowly at first: a server that has much to do reads slowly itself, and it is not the client's fault.</summary>
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(30);

    public static void BoundBuffers(this IWebHostBuilder host, ServiceSettings settings)
    {
        host.UseSockets(transport => transport.MaxReadBufferSize = settings.MaxHeaderBytes);
        host.ConfigureKestrel(server =>
        {
            server.Limits.MaxRequestBodySize = settings.MaxFileBytes;
            server.Limits.MaxRequestBufferSize = settings.MaxHeaderBytes;
            server.Limits.MaxConcurrentConnections = settings.MaxConnections;
            server.Limits.KeepAliveTimeout = s_idle;
            server.Limits.RequestHeadersTimeout = s_headers;
            server.Limits.MinRequestBodyDataRate = new MinDataRate(settings.MinBytesPerSecond, s_grace);

            // Requests of an HTTP/2 connection share one window: those that wait for memory would fill it, and the one that has memory would get no more of its body.
            server.ConfigureEndpointDefaults(static endpoint => endpoint.Protocols = HttpProtocols.Http1);
        });
    }
}
