using System.Net;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using PixelPool.AspNetCore.Tests.Infrastructure;

namespace PixelPool.AspNetCore.Tests.Endpoints;

/// <summary>Nobody sees the page unless the application said who may.</summary>
public sealed class AuthorizationTests
{
    [Fact]
    public async Task Without_a_word_only_users_who_are_signed_in_see_it()
    {
        await using TestApplication application = await TestApplication.StartWithUsersAsync(static app => app.MapPixelPool());
        await AssertAnswersAsync(application, HttpStatusCode.Unauthorized, user: null);
        await AssertAnswersAsync(application, HttpStatusCode.OK, "anybody");
    }

    [Fact]
    public async Task Without_a_word_the_fallback_policy_is_that_of_the_page_if_there_is_one()
    {
        await using TestApplication application = await TestApplication.StartWithUsersAsync(
            static app => app.MapPixelPool(),
            static services => services.AddAuthorizationBuilder().SetFallbackPolicy(new AuthorizationPolicyBuilder().RequireUserName("operator").Build()));
        await AssertAnswersAsync(application, HttpStatusCode.Unauthorized, user: null);
        await AssertAnswersAsync(application, HttpStatusCode.Forbidden, "anybody");
        await AssertAnswersAsync(application, HttpStatusCode.OK, "operator");
    }

    [Fact]
    public async Task A_policy_on_the_builder_is_the_policy_of_the_page()
    {
        await using TestApplication application = await TestApplication.StartWithUsersAsync(static app => app.MapPixelPool().RequireAuthorization("operators"));
        await AssertAnswersAsync(application, HttpStatusCode.Unauthorized, user: null);
        await AssertAnswersAsync(application, HttpStatusCode.Forbidden, "anybody");
        await AssertAnswersAsync(application, HttpStatusCode.OK, "operator");
    }

    [Fact]
    public async Task A_policy_of_its_own_takes_the_place_of_the_default_one()
    {
        await using TestApplication application = await TestApplication.StartWithUsersAsync(static app => app.MapPixelPool().RequireAuthorization("anybody"));
        await AssertAnswersAsync(application, HttpStatusCode.OK, user: null);
    }

    [Fact]
    public async Task The_policy_of_a_group_is_one()
    {
        await using TestApplication application = await TestApplication.StartWithUsersAsync(static app =>
        {
            RouteGroupBuilder group = app.MapGroup("/internal").RequireAuthorization("operators");
            group.MapPixelPool("/memory");
        });
        await AssertAnswersAsync(application, HttpStatusCode.Forbidden, "anybody", "/internal/memory");
        await AssertAnswersAsync(application, HttpStatusCode.OK, "operator", "/internal/memory");
    }

    [Fact]
    public async Task A_group_without_a_policy_opens_nothing()
    {
        await using TestApplication application = await TestApplication.StartWithUsersAsync(static app => app.MapGroup("/internal").MapPixelPool());
        await AssertAnswersAsync(application, HttpStatusCode.Unauthorized, user: null, "/internal/pixelpool");
    }

    [Fact]
    public async Task Everybody_may_see_it_where_that_is_said_in_so_many_words()
    {
        await using TestApplication application = await TestApplication.StartWithUsersAsync(static app => app.MapPixelPool().AllowAnonymous());
        await AssertAnswersAsync(application, HttpStatusCode.OK, user: null);
    }

    [Fact]
    public async Task An_application_without_authorization_answers_with_what_to_do()
    {
        await using TestApplication application = await TestApplication.StartAsync(static _ => { }, static app => app.MapPixelPool());
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(() => application.GetPageAsync());
        Assert.Contains("AddAuthorization", refused.Message, StringComparison.Ordinal);
        Assert.Contains("MapPixelPool().AllowAnonymous()", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Authorization_that_is_asked_for_where_there_is_none_opens_nothing()
    {
        await using TestApplication application = await TestApplication.StartAsync(static _ => { }, static app => app.MapPixelPool().RequireAuthorization());
        await Assert.ThrowsAsync<InvalidOperationException>(() => application.GetPageAsync());
    }

    [Fact]
    public async Task The_rest_of_such_an_application_works()
    {
        await using TestApplication application = await TestApplication.StartAsync(
            static _ => { },
            static app =>
            {
                app.MapPixelPool();
                app.MapGet("/", static () => "works");
            });
        Assert.Equal("works", await application.GetPageAsync("/"));
    }

    [Fact]
    public async Task A_fallback_policy_that_nobody_knows_closes_the_page_and_nothing_else()
    {
        await using TestApplication application = await TestApplication.StartWithUsersAsync(
            static app =>
            {
                app.MapPixelPool();
                app.MapGet("/", static () => "thumbnails").RequireAuthorization();
            },
            static services => services.AddSingleton<IAuthorizationPolicyProvider, FailingPolicies>());
        await AssertAnswersAsync(application, HttpStatusCode.OK, "operator", "/");
        await AssertAnswersAsync(application, HttpStatusCode.Unauthorized, user: null);
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(() => application.GetAsync("operator", "/pixelpool"));
        Assert.IsType<TimeoutException>(refused.InnerException);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Services_without_the_middleware_open_nothing(bool haveFallbackPolicy)
    {
        await using TestApplication application = await TestApplication.StartAsync(
            services => services.AddAuthorization(options =>
                options.FallbackPolicy = haveFallbackPolicy ? new AuthorizationPolicyBuilder().RequireAssertion(static _ => true).Build() : null),
            static app =>
            {
                // Who calls UseRouting and UseEndpoints calls UseAuthorization between them, or forgets it.
                app.UseRouting();
#pragma warning disable ASP0014 // that is what is tested
                app.UseEndpoints(static endpoints => endpoints.MapPixelPool());
#pragma warning restore ASP0014
            });
        await Assert.ThrowsAsync<InvalidOperationException>(() => application.GetPageAsync());
    }

    private static async Task AssertAnswersAsync(TestApplication application, HttpStatusCode expected, string? user, string address = "/pixelpool")
    {
        using HttpResponseMessage response = await application.GetAsync(user, address);
        Assert.Equal(expected, response.StatusCode);
        bool shows = (await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).Contains("thumbnails", StringComparison.Ordinal);
        Assert.Equal(expected == HttpStatusCode.OK, shows);
    }

    /// <summary>Policies of an application that cannot be read, but for the default.</summary>
    private sealed class FailingPolicies(IOptions<AuthorizationOptions> options) : IAuthorizationPolicyProvider
    {
        public Task<AuthorizationPolicy?> GetPolicyAsync(string policyName) => throw new TimeoutException();

        public Task<AuthorizationPolicy> GetDefaultPolicyAsync() => Task.FromResult(options.Value.DefaultPolicy);

        public Task<AuthorizationPolicy?> GetFallbackPolicyAsync() => throw new TimeoutException();
    }
}
