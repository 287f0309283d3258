namespace PixelPool.Diagnostics.Metrics;

/// <summary>
/// One allocator as its meter sees it. Its allocator holds it, and is held by its pool, which is held by everything that is rented: so it is found dead
/// exactly when nothing of the allocator is left.
/// </summary>
/// <remarks>
/// In that collection the finalizers of forgotten guards are due, too, in any order, and they count. So the first finalization only asks for a second one:
/// until every other finalizer is done, its guard keeps the pool, and this object, from being found dead again.
/// </remarks>
internal sealed class MeteredAllocator
{
    private readonly PixelAllocator _allocator;
    private readonly PixelPoolMeter _meter;
    private bool _wasFoundDead;

    public MeteredAllocator(PixelAllocator allocator, string name, PixelPoolMeter meter)
    {
        _allocator = allocator;
        _meter = meter;
        Name = name;
        meter.Add(this);
    }

    ~MeteredAllocator()
    {
        // Also runs when the constructor failed.
        if (Name is null)
        {
            return;
        }

        if (_wasFoundDead)
        {
            _meter.End(this);
            return;
        }

        _wasFoundDead = true;
        GC.ReRegisterForFinalize(this);
    }

    public string Name { get; }

    public PixelPoolStatistics GetStatistics() => _allocator.GetStatistics();
}
