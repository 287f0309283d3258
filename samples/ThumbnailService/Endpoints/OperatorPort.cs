namespace ThumbnailService.Endpoints;

/// <summary>Answers everything but <c>/thumbnail</c> at one port only, if that is set: one that only operators and probes reach.</summary>
internal static class OperatorPort
{
    public static void UseOperatorPort(this WebApplication app, ServiceSettings settings) => app.Use((context, next) =>
    {
        // The port of the connection. RequireHost would look at the header Host, in which a client writes what it likes.
        if (settings.OperatorPort is { } port && context.Connection.LocalPort != port && !context.Request.Path.StartsWithSegments("/thumbnail"))
        {
            context.Response.StatusCode = StatusCodes.Status404NotFound;
            return Task.CompletedTask;
        }

        return next(context);
    });
}
