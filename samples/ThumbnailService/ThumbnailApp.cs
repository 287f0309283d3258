using System.ComponentModel.DataAnnotations;
using Imaging.Memory;
using PixelPool;
using ThumbnailService.Endpoints;
using ThumbnailService.Memory;
using ThumbnailService.Telemetry;
using ThumbnailService.Thumbnails;

namespace ThumbnailService;

/// <summary>Puts the service together.</summary>
internal static class ThumbnailApp
{
    /// <param name="args">The command line.</param>
    /// <param name="configure">What a test wants otherwise.</param>
    /// <exception cref="ValidationException">A setting has a value that it cannot have. The message names it.</exception>
    public static WebApplication Create(string[] args, Action<WebApplicationBuilder>? configure = null)
    {
        MallocThreshold.Fix();
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder(args);
        ServiceSettings settings =
            builder.Configuration.GetSection(ServiceSettings.Section).Get<ServiceSettings>(static binder => binder.ErrorOnUnknownConfiguration = true) ?? new ServiceSettings();
        Validator.ValidateObject(settings, new ValidationContext(settings), validateAllProperties: true);
        builder.Services.AddSingleton(settings);
        builder.WebHost.BoundBuffers(settings);
        builder.AddTelemetry();
        AddMemory(builder.Services, builder.Configuration, settings);
        builder.Services.AddHealthChecks().AddPixelPool();
        configure?.Invoke(builder);

        WebApplication app = builder.Build();
        app.UseOperatorPort(settings);
        app.MapPost("/thumbnail", ThumbnailEndpoint.HandleAsync);
        app.MapGet("/memory", MemoryEndpoint.Handle);
        app.MapTelemetry();
        app.MapHealthChecks("/health");

        // The page asks for authorization, and this sample has no users. It listens on this machine only, unless something says otherwise: --urls, or
        // ASPNETCORE_HTTP_PORTS, which the container images of .NET set. A real service has an operators' port, or asks who it is: RequireAuthorization("operators").
        app.MapPixelPool().AllowAnonymous();
        return app;
    }

    private static void AddMemory(IServiceCollection services, IConfiguration configuration, ServiceSettings settings)
    {
        services.AddPixelPool(SetDefaults);
        services.AddPixelPool(configuration.GetSection("PixelPool"), options => SetBudget(options, settings));
        if (settings.Memory == MemoryMode.PixelPool)
        {
            services.AddSingleton<IThumbnails, BudgetedThumbnails>();
            return;
        }

        services.AddSingleton<IThumbnails, PlainThumbnails>();
        services.AddSingleton<ImageMemory>(provider => settings.Memory == MemoryMode.Managed
            ? new ManagedImageMemory()
            : new PooledImageMemory(provider.GetRequiredService<PixelAllocator>()));
    }

    private static void SetDefaults(PixelAllocatorOptions options)
    {
        options.Name = "thumbnails";

        // A request rents some times and takes a good part of a second: that /memory can name every line costs next to nothing here.
        options.LeakTracking = LeakTracking.Full;
    }

    private static void SetBudget(PixelAllocatorOptions options, ServiceSettings settings)
    {
        if (settings.Memory != MemoryMode.PixelPool)
        {
            options.MaxRentedBytes = options.MaxPooledBytes = null;
            return;
        }

        // In a container there is a budget already. Here it shall be one on any machine.
        options.MaxRentedBytes ??= PixelAllocatorOptions.ForContainer(options.MemoryPressure).MaxRentedBytes;
        options.MaxPooledBytes ??= options.MaxRentedBytes;
    }
}
