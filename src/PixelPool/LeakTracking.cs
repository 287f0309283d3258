namespace PixelPool;

/// <summary>
/// Which rents remember where they were made. Leaks are found, returned and counted with every value. This is about naming the code that forgot them.
/// </summary>
public enum LeakTracking
{
    /// <summary>No rents.</summary>
    Off,

    /// <summary>
    /// As many rents as cost next to nothing: the first ones of an allocator, then every one while rents are rare, and one of many while they are frequent. The
    /// time for this is limited to half a percent of one processor. After a leak whose place is unknown, every rent is recorded for 30 seconds, at most once in ten
    /// minutes. So the next leak has a place. This is the default.
    /// </summary>
    Sampled,

    /// <summary>Every rent. Each then takes tens of microseconds and some kilobytes of managed memory. For tests, and for finding a leak.</summary>
    Full,
}
