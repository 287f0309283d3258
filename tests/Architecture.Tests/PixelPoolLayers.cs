using Architecture.Tests.Reading;
using Architecture.Tests.Rules;

namespace Architecture.Tests;

/// <summary>The picture in <c>docs/architecture.md</c>, as the tests read it. A folder uses its own line and the lines below, never one above.</summary>
internal static class PixelPoolLayers
{
    public static readonly Layers TopToBottom = new(
        [SourceFile.Top, "Scopes", "Planes", "Streams", "Pools"],           // what a user creates: who rents, and what is made of rents
        ["Configuration"],                                                  // options from text
        ["Images"],                                                         // what a user holds
        ["Interop"],                                                        // pixels for native code
        ["Accessors"],                                                      // how pixels are reached
        ["Diagnostics", "Diagnostics/Leaks", "Diagnostics/Metrics",
            "Diagnostics/Rents", "Diagnostics/Waits"],                      // listens
        ["Tiers"],                                                          // one class, one file for each kind of memory
        ["Pooling"],                                                        // the block pool
        ["Trimming"],                                                       // policies, triggers, memory pressure
        ["Lifetime", "Budgets", "Accounts", "Application"],                 // guards; what may be held, who waits; counters; the application's clock
        ["Native"],                                                         // the only place that talks to the operating system
        ["Threading"],                                                      // locks, wake-ups
        ["Errors"],                                                         // every exception
        ["Text"]);                                                          // how sizes and names are written

    /// <summary>
    /// Types of the top that everybody speaks of: options, figures, enums. Folders below may use them, and a name that none of them uses leaves
    /// the list. None is part of a knot: otherwise it would be a way up.
    /// </summary>
    public static readonly string[] SpokenOfByAll =
    [
        "AllocationOptions",
        "LeakTracking",
        "PixelAllocatorOptions",
        "PixelPoolStatistics",
    ];
}
