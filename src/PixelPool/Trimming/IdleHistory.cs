namespace PixelPool.Trimming;

/// <summary>
/// How many blocks at the bottom of a stripe nobody needed: the lowest fill of the running period and of the periods before it. A stripe is a
/// stack, so the blocks below its lowest fill were not touched. Guarded by the stripe's lock.
/// </summary>
internal struct IdleHistory
{
    /// <summary>Complete periods that are remembered.</summary>
    public const int Periods = 6;

    private readonly int[] _lows;
    private int _next;
    private int _low;

    public IdleHistory() => _lows = new int[Periods];

    /// <summary>To be called whenever blocks were taken.</summary>
    public void Observe(int idle) => _low = Math.Min(_low, idle);

    /// <summary>Blocks came that were idle elsewhere all through the running period.</summary>
    public void Add(int blocks) => _low += blocks;

    /// <summary>Ends the running period.</summary>
    /// <returns>Blocks that stayed idle through all remembered periods.</returns>
    public int EndPeriod(int idle)
    {
        _lows[_next] = _low;
        _next = (_next + 1) % Periods;
        _low = idle;
        int lowest = idle;
        foreach (int low in _lows)
        {
            lowest = Math.Min(lowest, low);
        }

        return lowest;
    }

    /// <summary>Blocks left from the bottom: what was remembered of them is forgotten.</summary>
    public void Forget(int blocks)
    {
        _low = Math.Max(0, _low - blocks);
        for (int i = 0; i < _lows.Length; i++)
        {
            _lows[i] = Math.Max(0, _lows[i] - blocks);
        }
    }
}
