using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using PixelPool;
using PixelPool.Configuration;
using PixelPool.Extensions.DependencyInjection;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers allocators of PixelPool.</summary>
/// <remarks>
/// <para>
/// An allocator is a singleton. It is created when it is first requested, and disposed with the service provider. Images that are rented then stay valid until
/// they are disposed. Its options are <see cref="PixelAllocatorOptions"/> of the options system, so <c>services.Configure</c> works, in any order with these
/// methods. They are validated when the host starts. If they are invalid, it throws an <see cref="OptionsValidationException"/> that names every problem.
/// </para>
/// <para>
/// From configuration, <c>AddPixelPool(configuration.GetSection("PixelPool"))</c> sets every option that has the name of a key, in upper or lower case. Values
/// are written as in environment variables (<see cref="PixelAllocatorOptions"/>): sizes such as <c>300M</c>, durations in seconds or as <c>00:00:30</c>,
/// enumerations and policies by name, such as <c>None</c> or <c>Halving(60, 0.5)</c>. Null is allowed where the option may be null; before .NET 10 configuration reads it
/// as an empty text, which is invalid. Unknown keys, invalid
/// values, and options that are objects and need code, such as <see cref="PixelAllocatorOptions.TimeProvider"/>, are refused when the host starts, with path and
/// value. The binder of configuration (<c>Configure&lt;PixelAllocatorOptions&gt;(section)</c>, <c>Bind</c>) ignores what it does not know, policies among it,
/// and does not read sizes with letters. A section that is not there sets nothing; <c>GetRequiredSection</c> refuses that. An allocator keeps the options that
/// it was created with: configuration that is reloaded changes neither it nor its options.
/// </para>
/// <para>
/// Before anything is configured, options have these defaults beside those of <see cref="PixelAllocatorOptions"/>, which include the settings of the process
/// (<c>PIXELPOOL_MAX_RENTED_BYTES</c>…): <see cref="PixelAllocatorOptions.MeterFactory"/> and <see cref="PixelAllocatorOptions.MemoryPressure"/> are those
/// among the services. Where the process may use less memory than the machine has (<see cref="MemoryPressureSource.IsLimited"/>), the limits are those of
/// <see cref="PixelAllocatorOptions.ForContainer(MemoryPressureSource)"/>, divided evenly between all allocators that are registered here, also those with a
/// budget set: together they do not get the process killed. <see cref="PixelAllocator.Shared"/> is not one of them. A setting of the process is not divided:
/// each allocator gets all of it. To have no budget, set it to null.
/// </para>
/// <para>
/// Where the services include logging, the category "PixelPool" gets errors about what was rented, charged or reserved and forgotten
/// (<see cref="PixelAllocator.Leaked"/>), with size, age, place and stack as far as they were recorded (<see cref="PixelAllocatorOptions.LeakTracking"/>);
/// warnings about requests that wait long for budget (<see cref="PixelAllocator.LongWait"/>), which are errors where the wait is part of a deadlock; and, when the
/// host starts, warnings about settings of the process that are ignored.
/// </para>
/// </remarks>
public static class PixelPoolServiceCollectionExtensions
{
    /// <summary>Registers the <see cref="PixelAllocator"/>. Called again, it only configures further.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="configure">Changes the options. Default: null, no changes.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    public static IServiceCollection AddPixelPool(this IServiceCollection services, Action<PixelAllocatorOptions>? configure = null)
    {
        OptionsBuilder<PixelAllocatorOptions> options = AddDefault(services);
        if (configure is not null)
        {
            options.Configure(configure);
        }

        return services;
    }

    /// <summary>Registers the <see cref="PixelAllocator"/>, with options from configuration.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="section">
    /// The section that has options and nothing else, such as <c>configuration.GetSection("PixelPool")</c>. It is read when the options are first needed. If it is
    /// a root, messages do not contain values, because a root has all environment variables.
    /// </param>
    /// <param name="configure">Changes the options further. Default: null, no changes.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> or <paramref name="section"/> is null.</exception>
    public static IServiceCollection AddPixelPool(this IServiceCollection services, IConfiguration section, Action<PixelAllocatorOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        AddSection(AddDefault(services), section);
        return services.AddPixelPool(configure);
    }

    /// <summary>Registers the <see cref="PixelAllocator"/>, with options that depend on other services.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="configure">Changes the options. It gets the root of the container: no scoped services.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static IServiceCollection AddPixelPool(this IServiceCollection services, Action<IServiceProvider, PixelAllocatorOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        AddDefault(services).Configure<IServiceProvider>((options, provider) => configure(provider, options));
        return services;
    }

    /// <summary>
    /// Registers a <see cref="PixelAllocator"/> by name, beside others: a keyed service (<c>[FromKeyedServices("name")]</c>) whose options have that name,
    /// too. Called again, it only configures further.
    /// </summary>
    /// <param name="services">The service collection.</param>
    /// <param name="name">The key, the name of the options, and the name of the allocator in reports and metrics.</param>
    /// <param name="configure">Changes the options. Default: null, no changes.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> or <paramref name="name"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty.</exception>
    public static IServiceCollection AddPixelPool(this IServiceCollection services, string name, Action<PixelAllocatorOptions>? configure = null)
    {
        OptionsBuilder<PixelAllocatorOptions> options = AddNamed(services, name);
        if (configure is not null)
        {
            options.Configure(configure);
        }

        return services;
    }

    /// <summary>Registers a <see cref="PixelAllocator"/> by name, with options from configuration.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="name">The key, the name of the options, and the name of the allocator in reports and metrics, unless the section has another one.</param>
    /// <param name="section">
    /// The section that has options and nothing else, such as <c>configuration.GetSection("Uploads")</c>. It is read when the options are first needed. If it is
    /// a root, messages do not contain values, because a root has all environment variables.
    /// </param>
    /// <param name="configure">Changes the options further. Default: null, no changes.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/>, <paramref name="name"/> or <paramref name="section"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty.</exception>
    public static IServiceCollection AddPixelPool(
        this IServiceCollection services, string name, IConfiguration section, Action<PixelAllocatorOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(section);
        AddSection(AddNamed(services, name), section);
        return services.AddPixelPool(name, configure);
    }

    /// <summary>Registers a <see cref="PixelAllocator"/> by name, with options that depend on other services.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="name">The key, the name of the options, and the name of the allocator in reports and metrics.</param>
    /// <param name="configure">Changes the options. It gets the root of the container: no scoped services.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="name"/> is empty.</exception>
    public static IServiceCollection AddPixelPool(
        this IServiceCollection services, string name, Action<IServiceProvider, PixelAllocatorOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        AddNamed(services, name).Configure<IServiceProvider>((options, provider) => configure(provider, options));
        return services;
    }

    private static OptionsBuilder<PixelAllocatorOptions> AddDefault(IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.TryAddSingleton(static provider => provider.GetRequiredService<AllocatorFactory>().Create(Options.Options.DefaultName));
        return AddOptions(services, Options.Options.DefaultName);
    }

    private static OptionsBuilder<PixelAllocatorOptions> AddNamed(IServiceCollection services, string name)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (AllocatorNames.Of(services).Add(name))
        {
            services.AddSingleton(new RegisteredName(name));
        }

        services.TryAddKeyedSingleton(name, static (provider, key) => provider.GetRequiredService<AllocatorFactory>().Create((string)key!));
        return AddOptions(services, name);
    }

    private static void AddSection(OptionsBuilder<PixelAllocatorOptions> options, IConfiguration section)
    {
        var settings = new SectionOptions(options.Name, section);
        options.Services.AddSingleton<IConfigureOptions<PixelAllocatorOptions>>(settings);
        options.Services.AddSingleton<IValidateOptions<PixelAllocatorOptions>>(settings);
    }

    private static OptionsBuilder<PixelAllocatorOptions> AddOptions(IServiceCollection services, string name)
    {
        AllocatorNames.Of(services).Add(name);
        services.TryAddSingleton<AllocatorFactory>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<PixelAllocatorOptions>, OptionsValidator>());
        return services.AddOptions<PixelAllocatorOptions>(name).ValidateOnStart();
    }
}
