using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Creates the allocators of one container, and has their leaks and long waits logged.</summary>
internal sealed class AllocatorFactory(IOptionsMonitor<PixelAllocatorOptions> options, ILoggerFactory? loggers = null)
{
    /// <exception cref="OptionsValidationException">The options are not valid.</exception>
    public PixelAllocator Create(string name)
    {
        PixelAllocatorOptions own = options.Get(name);
        PixelAllocator allocator = PixelAllocator.Create(own);
        if (loggers is not null)
        {
            ILogger logger = loggers.CreateLogger(LogCategory.Name);
            string called = own.Name ?? nameof(PixelAllocator);
            allocator.Leaked += new LeakLog(logger, called).OnLeaked;
            allocator.LongWait += new LongWaitLog(logger, called).OnLongWait;
        }

        return allocator;
    }
}
