using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ThumbnailService;

/// <summary>Bounds what the server itself holds: bytes of uploads that wait, and how long a slow sender may keep the memory that is reserved for it.</summary>
internal static class ConnectionLimits
{
    /// <summary>What headers may take, and a body that comes too slowly at first.</summary>
    private static readonly TimeSpan s_grace = TimeSpan.FromSeconds(10);

    /// <summary>How long a connection may be open without a request: others need its place.</summary>
    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(30);

    public static void BoundBuffers(this IWebHostBuilder host, ServiceSettings settings)
    {
        host.UseSockets(transport => transport.MaxReadBufferSize = settings.MaxHeaderBytes);
        host.ConfigureKestrel(server =>
        {
            server.Limits.MaxRequestBodySize = settings.MaxFileBytes;
            server.Limits.MaxRequestBufferSize = settings.MaxHeaderBytes;
            server.Limits.MaxConcurrentConnections = settings.MaxConnections;
            server.Limits.KeepAliveTimeout = s_idle;
            server.Limits.RequestHeadersTimeout = s_grace;
            server.Limits.MinRequestBodyDataRate = new MinDataRate(settings.MinBytesPerSecond, s_grace);

            // Requests of an HTTP/2 connection share one window: those that wait for memory would fill it, and the one that has memory would get no more of its body.
            server.ConfigureEndpointDefaults(static endpoint => endpoint.Protocols = HttpProtocols.Http1);
        });
    }
}
