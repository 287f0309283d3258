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
    /// time spent on it is limited to a small part of the whole. After a leak whose place is unknown, every rent is recorded for ten seconds, at most once in ten
    /// minutes, so that the next leak has a place. The default.
    /// </summary>
    Sampled,

    /// <summary>Every rent. Each then takes tens of microseconds and some kilobytes of managed memory. For tests, and for finding a leak.</summary>
    Full,
}
