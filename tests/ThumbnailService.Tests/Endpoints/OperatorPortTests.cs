using System.Net;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using ThumbnailService.Tests.Infrastructure;

namespace ThumbnailService.Tests.Endpoints;

/// <summary>A service at two ports, of which the public reaches one.</summary>
public class OperatorPortTests
{
    [Theory]
    [InlineData("pixelpool")]
    [InlineData("memory")]
    [InlineData("metrics")]
    [InlineData("health")]
    public async Task What_is_for_operators_is_answered_at_their_port_only(string path)
    {
        await using RunningService service = await StartAtTwoPortsAsync();
        (Uri open, Uri operators) = Addresses(service);
        service.Services.GetRequiredService<ServiceSettings>().OperatorPort = operators.Port;

        Assert.Equal(HttpStatusCode.OK, await GetAsync(service, operators, path));
        Assert.Equal(HttpStatusCode.NotFound, await GetAsync(service, open, path));
        Assert.Equal(HttpStatusCode.NotFound, await GetAsync(service, open, path, host: operators.Authority));
        Assert.Equal(HttpStatusCode.MethodNotAllowed, await GetAsync(service, open, "thumbnail"));
    }

    [Fact]
    public async Task Probes_get_a_connection_there_when_the_public_has_all_of_its_own()
    {
        await using RunningService service = await StartAtTwoPortsAsync("--Thumbnails:MaxConnections=1");
        (Uri open, Uri operators) = Addresses(service);
        await using RawConnection all = await RawConnection.OpenAsync(open);
        await all.SendSomeAsync([0xFF], 100);
        Assert.Equal(HttpStatusCode.OK, await GetAsync(service, operators, "health"));
        await Assert.ThrowsAsync<HttpRequestException>(() => GetAsync(service, open, "health"));
    }

    private static Task<RunningService> StartAtTwoPortsAsync(params string[] arguments) => RunningService.StartAsync(
        arguments,
        services => services.Configure<KestrelServerOptions>(static server =>
        {
            server.Listen(IPAddress.Loopback, 0);
            server.Listen(IPAddress.Loopback, 0);
        }));

    private static (Uri Open, Uri Operators) Addresses(RunningService service)
    {
        Uri[] addresses = [.. service.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Select(static address => new Uri(address))];
        return (addresses[0], addresses[1]);
    }

    private static async Task<HttpStatusCode> GetAsync(RunningService service, Uri address, string path, string? host = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(address, path));
        request.Headers.Host = host;
        using HttpResponseMessage response = await service.Client.SendAsync(request, TestContext.Current.CancellationToken);
        return response.StatusCode;
    }
}
