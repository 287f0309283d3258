using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Endpoints;

public class ProtocolTests
{
    /// <summary>Over TLS the two sides choose a version, and most clients would take HTTP/2.</summary>
    [Fact]
    public async Task Uploads_share_no_connection_whatever_the_client_prefers()
    {
        using var key = RSA.Create(2048);
        DateTimeOffset now = TimeProvider.System.GetUtcNow();
        using X509Certificate2 certificate = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
            .CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        await using RunningService service = await RunningService.StartAsync(
            [], services => services.Configure<KestrelServerOptions>(server => server.Listen(IPAddress.Loopback, 0, listen => listen.UseHttps(certificate))));

        using var handler = new HttpClientHandler { ServerCertificateCustomValidationCallback = HttpClientHandler.DangerousAcceptAnyServerCertificateValidator };
        using var client = new HttpClient(handler) { BaseAddress = service.Client.BaseAddress };
        using var request = new HttpRequestMessage(HttpMethod.Get, "health") { Version = HttpVersion.Version20, VersionPolicy = HttpVersionPolicy.RequestVersionOrLower };
        using HttpResponseMessage response = await client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(HttpVersion.Version11, response.Version);
    }
}
