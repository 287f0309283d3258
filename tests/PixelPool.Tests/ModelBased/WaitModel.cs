namespace PixelPool.Tests.ModelBased;

/// <summary>
/// What docs/architecture.md says of the order in which a budget lets requests in, with lists that are searched from the start each time. In blocks.
/// </summary>
/// <param name="limit">The budget.</param>
/// <param name="small">What is small against it.</param>
internal sealed class WaitModel(int limit, int small)
{
    private bool _isLittleAsked;

    // Bytes that passed the one who has waited longest.
    private long _passed;

    // For the looks at a line that stands still.
    private bool _isMoving;
    private int _quietLooks;
    private int _patience = 1;

    // So many looks more whoever fits passes.
    private int _stalledLooks;

    public int Charged { get; private set; }

    /// <summary>Those who wait, in the order in which they came.</summary>
    public List<WaitingRequest> Waiting { get; } = [];

    /// <summary>Those who were let in and whose image was not fetched yet.</summary>
    public List<WaitingRequest> LetIn { get; } = [];

    /// <summary>Whether a request that does not wait gets its memory.</summary>
    public bool TryCharge(int blocks)
    {
        _isLittleAsked |= blocks <= small;
        if (Waiting.Count == 0 ? Charged + blocks > limit : !MayPassAll(blocks))
        {
            return false;
        }

        Charged += blocks;
        _passed += Waiting.Count == 0 || IsStalled ? 0 : blocks;

        // Another one may be next from now on.
        Serve();
        return true;
    }

    /// <summary>Which rank a request has, of whoever holds so many blocks.</summary>
    public int RankOf(int blocks, int held) => blocks <= small ? (held > small ? 0 : 1) : held > 0 ? 2 : 3;

    public void Join(WaitingRequest request)
    {
        if (Waiting.Count == 0)
        {
            _isMoving = true;
            _patience = 1;
        }

        Waiting.Add(request);
        Serve();
    }

    /// <summary>It was cancelled, or its time is over.</summary>
    public void Leave(WaitingRequest request)
    {
        Remove(request);
        Serve();
    }

    public void Release(int blocks)
    {
        Charged -= blocks;
        Serve();
    }

    /// <summary>The look at the line, once a second while somebody waits.</summary>
    public void Look()
    {
        if (IsStalled)
        {
            _stalledLooks--;
            _isMoving = false;
            return;
        }

        _quietLooks = _isMoving || Waiting.Count == 0 ? 0 : _quietLooks + 1;
        _isMoving = false;
        if (_quietLooks < _patience)
        {
            return;
        }

        _quietLooks = 0;
        _stalledLooks = _patience < 16 ? _patience : _patience * _patience / 8;
        _patience *= 2;
        _passed = 0;
        while (Next() is { } next && Charged + next.Blocks <= limit)
        {
            Admit(next);
        }
    }

    private bool IsStalled => _stalledLooks != 0;

    private void Serve()
    {
        while (Next() is { } next && Charged + next.Blocks + Spare(next) <= limit)
        {
            Admit(next);
        }
    }

    private WaitingRequest? Next() => IsStalled ? InOrder().FirstOrDefault(request => Charged + request.Blocks <= limit)
        : InOrder().FirstOrDefault() is not { } first ? null
        : first == Waiting[0] || MayPass(first) ? first : Waiting[0];

    // Of those who hold something whoever needs least comes first. Otherwise, and among equals, whoever came first.
    private IEnumerable<WaitingRequest> InOrder() =>
        Waiting.OrderBy(static request => request.Rank).ThenBy(static request => request.Rank is 0 or 2 ? request.Blocks : 0);

    private bool MayPass(WaitingRequest request) => _passed + request.Blocks <= (request.Rank == 0 ? 2 * limit : limit);

    private bool MayPassAll(int blocks) =>
        blocks <= small && Waiting.TrueForAll(static request => request.Rank > 1) && (IsStalled || _passed + blocks <= limit) && Charged + blocks + small <= limit;

    // While several wait the last bytes are left to those who hold much and need little.
    private int Spare(WaitingRequest request) =>
        request.Rank == 0 || Waiting.Count == 1 || !_isLittleAsked ? 0 : Math.Min(small, limit - request.Blocks);

    private void Admit(WaitingRequest request)
    {
        bool wasLongest = request == Waiting[0];
        Charged += request.Blocks;
        Remove(request);
        _passed += wasLongest || IsStalled ? 0 : request.Blocks;
        _isMoving |= request.Rank != 0;
        LetIn.Add(request);
    }

    private void Remove(WaitingRequest request)
    {
        if (request == Waiting[0])
        {
            _passed = 0;
            _patience = 1;
            _stalledLooks = 0;
        }

        Waiting.Remove(request);
    }
}
