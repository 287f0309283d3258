namespace ThumbnailService.Load.Firing;

/// <summary>When the workers end before all requests are sent.</summary>
internal sealed class RunEnd : IDisposable
{
    private readonly CancellationTokenSource _source;
    private volatile bool _serviceIsGone;

    public RunEnd(TimeSpan timeLimit, CancellationToken cancellation)
    {
        _source = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        _source.CancelAfter(timeLimit);
    }

    public CancellationToken Token => _source.Token;

    /// <summary>Why a request that is in flight now gets no answer.</summary>
    public string Reason => _serviceIsGone ? "no service" : "no answer within the time limit";

    public Task ServiceIsGoneAsync()
    {
        _serviceIsGone = true;
        return _source.CancelAsync();
    }

    public void Dispose() => _source.Dispose();
}
