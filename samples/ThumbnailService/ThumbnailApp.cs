using LoadResizeSave.Memory;
using PixelPool;
using ThumbnailService.Endpoints;
using ThumbnailService.Memory;
using ThumbnailService.Thumbnails;

namespace ThumbnailService;

/// <summary>Puts the service together.</summary>
internal static class ThumbnailApp
{
    /// <param name="args">The command line.</param>
    /// <param name="configure">What a test wants otherwise.</param>
    public static WebApplication Create(string[] args, Action<WebApplicationBuilder>? configure = null)
    {
        MallocThreshold.Fix();
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder(args);
        configure?.Invoke(builder);
        ServiceSettings settings = builder.Configuration.GetSection(ServiceSettings.Section).Get<ServiceSettings>() ?? new ServiceSettings();
        builder.Services.AddSingleton(settings);
        builder.Services.AddSingleton<MetricsText>();
        builder.WebHost.BoundBuffers(settings);
        AddMemory(builder.Services, settings);

        WebApplication app = builder.Build();
        app.MapPost("/thumbnail", ThumbnailEndpoint.HandleAsync);
        app.MapGet("/memory", MemoryEndpoint.Handle);
        app.MapGet("/metrics", (MetricsText metrics) => metrics.Collect());
        return app;
    }

    private static void AddMemory(IServiceCollection services, ServiceSettings settings)
    {
        services.AddSingleton(_ => PixelAllocator.Create(Options(settings)));
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

    private static PixelAllocatorOptions Options(ServiceSettings settings)
    {
        if (settings.Memory != MemoryMode.PixelPool)
        {
            return new PixelAllocatorOptions();
        }

        PixelAllocatorOptions options = PixelAllocatorOptions.ForContainer();
        if (settings.BudgetBytes is { } bytes)
        {
            options.MaxRentedBytes = options.MaxPooledBytes = bytes;
        }

        return options;
    }
}
