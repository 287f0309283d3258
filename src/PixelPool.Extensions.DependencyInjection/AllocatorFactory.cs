using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Creates the allocators of one container, and has their leaks logged.</summary>
internal sealed class AllocatorFactory(IOptionsMonitor<PixelAllocatorOptions> options, ILoggerFactory? loggers = null)
{
    /// <exception cref="OptionsValidationException">The options are not valid.</exception>
    public PixelAllocator Create(string name)
    {
        PixelAllocatorOptions own = options.Get(name);
        PixelAllocator allocator = PixelAllocator.Create(own);
        if (loggers is not null)
        {
            allocator.Leaked += new LeakLog(loggers.CreateLogger(LogCategory.Name), own.Name ?? nameof(PixelAllocator)).OnLeaked;
        }

        return allocator;
    }
}
