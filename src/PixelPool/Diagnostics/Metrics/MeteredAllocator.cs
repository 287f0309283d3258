using PixelPool.Threading;

namespace PixelPool.Diagnostics.Metrics;

/// <summary>
/// One allocator as its meter sees it. The allocator's reports of leaks hold it, by what they tell of a wait that ended, and are held by everything that is rented: so it is found
/// dead exactly when nothing of the allocator is left.
/// </summary>
/// <remarks>
/// In that collection the finalizers of forgotten guards are due, too, in any order, and they count. So the first finalization only asks for a second one:
/// until every other finalizer is done, its guard keeps the reports, and this object, from being found dead again.
/// </remarks>
internal sealed class MeteredAllocator
{
    private readonly PixelPoolMeter _meter;
    private bool _wasFoundDead;

    public MeteredAllocator(string name, Func<PixelPoolStatistics> statistics, object? factory)
    {
        GetStatistics = statistics;
        _meter = PixelPoolMeter.Of(factory);
        Name = name;
        _meter.Add(this);
    }

    ~MeteredAllocator()
    {
        bool isFirst = !_wasFoundDead;
        _wasFoundDead = true;

        // Also runs when the constructor failed. Where there is no memory to come again, what is still counted then is not measured.
        if (_meter is not null && !(isFirst && Finalization.TryRegisterAgain(this)))
        {
            _meter.End(this);
        }
    }

    public readonly string Name;

    public readonly Func<PixelPoolStatistics> GetStatistics;

    /// <summary>A wait for budget ended.</summary>
    public void OnWaited(TimeSpan waited, string outcome) => _meter.RecordWait(Name, waited, outcome);
}
