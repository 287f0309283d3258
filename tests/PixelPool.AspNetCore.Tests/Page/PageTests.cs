using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Microsoft.Extensions.DependencyInjection;
using PixelPool.AspNetCore.Tests.Infrastructure;

namespace PixelPool.AspNetCore.Tests.Page;

/// <summary>What stands on the page.</summary>
public sealed partial class PageTests
{
    private const string Hostile = "<script>alert('1')</script>&\"\u00e9\ud800";

    [Fact]
    public async Task Text_of_the_application_is_text()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync(static services =>
            services.Configure<PixelAllocatorOptions>("thumbnails", static options =>
            {
                options.Name = Hostile;
                options.MaxRentedBytes = TestApplication.BlockBytes;
            }));
        using var scope = new RentScope(application.Allocator) { Tag = Hostile };
        scope.Rent<byte>(1024, 1024);
        ValueTask<PixelBuffer<byte>> asked = application.Allocator.RentAsync<byte>(1024, 1024, cancellationToken: TestContext.Current.CancellationToken);

        string page = await application.GetPageAsync();
        Assert.DoesNotContain("<script", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("alert('", page, StringComparison.Ordinal);
        Assert.Contains("&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt;&amp;&quot;", page, StringComparison.Ordinal);
        Assert.True(Regex.Count(page, "&lt;script&gt;") >= 4, "the name as heading, in the drawing, in the budget, and the tag");

        string json = await application.GetPageAsync("/pixelpool?format=json");
        Assert.DoesNotContain("<script", json, StringComparison.OrdinalIgnoreCase);
        scope.Dispose();
        (await asked).Dispose();
    }

    [Fact]
    public async Task The_policy_names_the_one_style_that_there_is()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        using HttpResponseMessage response = await application.GetAsync();
        string page = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        string style = Style().Matches(page).Single().Groups[1].Value;
        string hash = Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(style)));
        Assert.Contains($"style-src 'sha256-{hash}'", response.Headers.GetValues("Content-Security-Policy").Single(), StringComparison.Ordinal);
        Assert.Contains("@media (prefers-color-scheme: dark)", style, StringComparison.Ordinal);
        Assert.DoesNotContain(" style=", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_comes_from_elsewhere_and_nothing_runs()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        string page = await application.GetPageAsync();
        Assert.DoesNotContain("://", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<script", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<link", page, StringComparison.Ordinal);
        Assert.DoesNotContain("src=", page, StringComparison.Ordinal);
        Assert.DoesNotContain("url(", page, StringComparison.Ordinal);
        Assert.DoesNotContain("@import", page, StringComparison.Ordinal);
        Assert.All(Address().Matches(page), static address => Assert.StartsWith("?", address.Groups[1].Value, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("", "5")]
    [InlineData("?refresh=30", "30")]
    [InlineData("?refresh=0", null)]
    [InlineData("?refresh=-1", "5")]
    [InlineData("?refresh=3601", "5")]
    [InlineData("?refresh=0%22%3E", "5")]
    public async Task It_loads_itself_again_unless_it_is_paused(string query, string? seconds)
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        string page = await application.GetPageAsync("/pixelpool" + query);
        Assert.Equal(seconds, Refresh().Match(page) is { Success: true } match ? match.Groups[1].Value : null);
    }

    [Fact]
    public async Task Figures_places_waits_and_ages_are_there()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync(static services =>
            services.Configure<PixelAllocatorOptions>("thumbnails", static options => options.MaxRentedBytes = 3 * TestApplication.BlockBytes));
        using PixelBuffer<byte> first = application.Allocator.Rent<byte>(1024, 2048);
        using PixelBuffer<byte> view = first.View(0, 0, 10, 10);
        first.Dispose();
        application.Time.Advance(TimeSpan.FromSeconds(125));
        ValueTask<PixelBuffer<byte>> asked = application.Allocator.RentAsync<byte>(1024, 2048, cancellationToken: TestContext.Current.CancellationToken);
        application.Time.Advance(TimeSpan.FromSeconds(7));

        string page = await application.GetPageAsync();
        Assert.Contains("<dt>Rented</dt><dd><b>2 MiB</b>", page, StringComparison.Ordinal);
        Assert.Contains("<b>67 %</b> 2 MiB of 3 MiB", page, StringComparison.Ordinal);
        Assert.Contains("2 min 12 s", page, StringComparison.Ordinal);
        Assert.Contains("disposed, but held by a view or a pin", page, StringComparison.Ordinal);
        Assert.Contains("<b>1</b> for up to 7 s", page, StringComparison.Ordinal);
        Assert.Contains(nameof(PageTests), page, StringComparison.Ordinal);
        view.Dispose();
        (await asked).Dispose();
    }

    [Fact]
    public async Task What_was_disposed_twice_is_marked()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        PixelLease<byte> lease = application.Allocator.Lease<byte>(1024, 1024);
        PixelLease<byte> copy = lease;
        lease.Dispose();
        copy.Dispose();
        Assert.Contains("""<div class="bad"><dt>Disposed twice</dt><dd><b>1</b>""", await application.GetPageAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Many_places_are_cut_off_and_it_says_so()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        using var scope = new RentScope(application.Allocator);
        for (int i = 0; i < 130; i++)
        {
            scope.Tag = $"tenant {i}";
            scope.Rent<byte>(10, 10);
        }

        string page = await application.GetPageAsync();
        Assert.Contains("There are 130 places.", page, StringComparison.Ordinal);
        Assert.Equal(100, Regex.Count(page, "<td>tenant "));
    }

    [Fact]
    public async Task The_drawing_shows_the_time_since_somebody_looked()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        await application.GetPageAsync();
        using PixelBuffer<byte> rented = application.Allocator.Rent<byte>(1024, 2048);
        application.Time.Advance(TimeSpan.FromSeconds(90));
        string page = await application.GetPageAsync();
        Assert.Contains(">1 min 30 s ago</text>", page, StringComparison.Ordinal);
        Assert.Contains(">now</text>", page, StringComparison.Ordinal);

        XElement drawing = XElement.Parse(Drawing().Match(page).Value);
        Assert.Single(drawing.Elements("path"), static path => (string?)path.Attribute("class") == "rented");
    }

    [Fact]
    public async Task Where_nobody_looked_the_drawing_has_a_gap()
    {
        await using TestApplication application = await TestApplication.StartOpenAsync();
        await application.GetPageAsync();
        application.Time.Advance(TimeSpan.FromMinutes(7));
        string page = await application.GetPageAsync();
        Assert.Equal(2, Regex.Count(Drawing().Match(page).Value, "class=\"resident\""));
    }

    [GeneratedRegex("<style>(.*?)</style>", RegexOptions.Singleline)]
    private static partial Regex Style();

    [GeneratedRegex("href=\"([^\"]*)\"")]
    private static partial Regex Address();

    [GeneratedRegex("http-equiv=\"refresh\" content=\"([^\"]*)\"")]
    private static partial Regex Refresh();

    [GeneratedRegex("<svg class=\"chart\".*?</svg>", RegexOptions.Singleline)]
    private static partial Regex Drawing();
}
