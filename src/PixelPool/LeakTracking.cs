namespace PixelPool;

/// <summary>
/// Which rents remember where they were made. Leaks are found, returned and counted in every case: this is about telling who forgot them.
/// </summary>
public enum LeakTracking
{
    /// <summary>None.</summary>
    Off,

    /// <summary>
    /// As many as cost next to nothing: the first ones of an allocator, then every one while rents are rare, and one in many while they are frequent. The time
    /// that is spent on it is bounded to a small part of the whole.
    /// </summary>
    Sampled,

    /// <summary>Every one. A rent then costs tens of microseconds and some kilobytes of managed memory: for tests and for the hunt.</summary>
    Full,
}
