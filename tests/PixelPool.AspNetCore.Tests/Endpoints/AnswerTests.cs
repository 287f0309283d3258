using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using PixelPool.AspNetCore.Tests.Infrastructure;

namespace PixelPool.AspNetCore.Tests.Endpoints;

/// <summary>What is sent, and to whom.</summary>
public sealed class AnswerTests
{
    [Theory]
    [InlineData(null, "/pixelpool", "text/html")]
    [InlineData("*/*", "/pixelpool", "text/html")]
    [InlineData("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "/pixelpool", "text/html")]
    [InlineData("text/html, application/json;q=0.9", "/pixelpool", "text/html")]
    [InlineData("text/html;q=0.5, application/json", "/pixelpool", "application/json")]
    [InlineData("application/json", "/pixelpool", "application/json")]
    [InlineData("Application/JSON; charset=utf-8", "/pixelpool", "application/json")]
    [InlineData("nonsense", "/pixelpool", "text/html")]
    [InlineData(null, "/pixelpool?format=json", "application/json")]
    [InlineData("text/html", "/pixelpool?format=json", "application/json")]
    [InlineData("application/json", "/pixelpool?format=html", "text/html")]
    public async Task People_get_a_page_and_tools_get_JSON(string? accept, string address, string type)
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        using HttpResponseMessage response = await application.GetAsync(address: address, accept: accept);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(new MediaTypeHeaderValue(type, "utf-8"), response.Content.Headers.ContentType);
        Assert.Equal(["Accept"], response.Headers.Vary);
    }

    [Theory]
    [InlineData("/pixelpool")]
    [InlineData("/pixelpool?format=json")]
    public async Task Nobody_keeps_or_embeds_it_and_nothing_else_is_loaded(string address)
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        using HttpResponseMessage response = await application.GetAsync(address: address);
        Assert.True(response.Headers.CacheControl!.NoStore);
        Assert.Equal(["nosniff"], response.Headers.GetValues("X-Content-Type-Options"));
        Assert.Equal(["no-referrer"], response.Headers.GetValues("Referrer-Policy"));
        string policy = response.Headers.GetValues("Content-Security-Policy").Single();
        Assert.StartsWith("default-src 'none'; style-src 'sha256-", policy, StringComparison.Ordinal);
        Assert.Contains("frame-ancestors 'none'", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
    }

    [Fact]
    public async Task HEAD_tells_the_length_and_POST_is_refused()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        using var head = new HttpRequestMessage(HttpMethod.Head, "/pixelpool");
        using HttpResponseMessage response = await application.Client.SendAsync(head, TestContext.Current.CancellationToken);
        Assert.True(response.Content.Headers.ContentLength > 1000);
        Assert.Empty(await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken));

        using HttpResponseMessage posted = await application.Client.PostAsync("/pixelpool", null, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, posted.StatusCode);
    }

    [Fact]
    public async Task JSON_says_who_holds_and_who_waits()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync(static services =>
            services.Configure<PixelAllocatorOptions>("thumbnails", static options => options.MaxRentedBytes = 2 * TestApplication.BlockBytes));
        PixelAllocator allocator = application.Allocator;
        using var scope = new RentScope(allocator) { Tag = "tenant 7" };
        scope.Rent<byte>(1024, 2048);
        application.Time.Advance(TimeSpan.FromSeconds(3));
        ValueTask<PixelBuffer<byte>> asked = allocator.RentAsync<byte>(1024, 1024, cancellationToken: TestContext.Current.CancellationToken);
        application.Time.Advance(TimeSpan.FromSeconds(2));

        using JsonDocument json = JsonDocument.Parse(await application.GetPageAsync("/pixelpool?format=json"));
        Assert.True(json.RootElement.GetProperty("residentBytes").GetInt64() > 1 << 20);
        JsonElement told = json.RootElement.GetProperty("allocators")[0];
        Assert.Equal("thumbnails", told.GetProperty("name").GetString());
        Assert.Equal(2 * TestApplication.BlockBytes, told.GetProperty("statistics").GetProperty("rentedBytes").GetInt64());
        Assert.Equal("00:00:02", told.GetProperty("statistics").GetProperty("longestWait").GetString());

        JsonElement held = told.GetProperty("held")[0];
        Assert.Equal(("tenant 7", "Memory", 1), (held.GetProperty("tag").GetString(), held.GetProperty("kind").GetString(), held.GetProperty("count").GetInt32()));
        Assert.Equal((5.0, 2 * TestApplication.BlockBytes), (held.GetProperty("oldestSeconds").GetDouble(), held.GetProperty("bytes").GetInt64()));
        Assert.Contains(nameof(JSON_says_who_holds_and_who_waits), held.GetProperty("place").GetString(), StringComparison.Ordinal);

        JsonElement waiting = told.GetProperty("waiting")[0];
        Assert.Equal((TestApplication.BlockBytes, 2.0), (waiting.GetProperty("bytes").GetInt64(), waiting.GetProperty("waitedSeconds").GetDouble()));
        Assert.Contains("thumbnails", waiting.GetProperty("budget").GetString(), StringComparison.Ordinal);
        scope.Dispose();
        (await asked).Dispose();
    }

    [Fact]
    public async Task Who_leaves_before_the_answer_disturbs_nothing()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        HttpContext context = await application.Server.SendAsync(
            static context =>
            {
                context.Request.Method = "GET";
                context.Request.Path = "/pixelpool";
                context.RequestAborted = new CancellationToken(canceled: true);
            },
            TestContext.Current.CancellationToken);
        Assert.Equal(StatusCodes.Status200OK, context.Response.StatusCode);
        Assert.Contains("thumbnails", await application.GetPageAsync(), StringComparison.Ordinal);
    }
}
