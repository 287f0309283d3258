namespace PixelPool.Stress.ThreadScaling;

/// <summary>Read often by all threads, written once.</summary>
internal sealed class StopSignal
{
    private volatile bool _isSet;

    public bool IsSet => _isSet;

    public void Set() => _isSet = true;
}
