namespace PixelPool.Tests.ModelBased;

// Requests that wait for the budget.
internal sealed partial class SlabSubject
{
    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    private readonly List<(int Size, Task<PixelLease<byte>> Task, CancellationTokenSource Cancellation)> _waiting = [];

    private void RentAsync(int size)
    {
        size = Math.Max(1, size);
        if (_pieces.Count + _waiting.Count < MostPieces)
        {
            var cancellation = new CancellationTokenSource();
            _waiting.Add((size, WhenLeasedAsync(size, cancellation.Token), cancellation));
        }
    }

    // What the system refuses ends the task.
    private async Task<PixelLease<byte>> WhenLeasedAsync(int size, CancellationToken token) =>
        await _allocator.LeaseAsync<byte>(size, 1, cancellationToken: token).ConfigureAwait(false);

    // Who was served gets its piece on another thread.
    private void Settle() => Assert.True(SpinWait.SpinUntil(IsSettled, s_limit), "a request waits that could be served, or that was cancelled");

    private bool IsSettled()
    {
        for (int i = _waiting.Count - 1; i >= 0; i--)
        {
            if (_waiting[i].Task.IsCompleted)
            {
                End(i);
            }
        }

        PixelPoolStatistics statistics = _allocator.GetStatistics();
        return statistics.WaitingRents == _waiting.Count
            && (!_hasBudget || statistics.ChargedBytes == HeldByRents)
            && !_waiting.Exists(request => request.Cancellation.IsCancellationRequested || HasFreePiece(request.Size) || (_waiting.Count == 1 && Fits(request.Size)));
    }

    private void End(int index)
    {
        (int size, Task<PixelLease<byte>> task, CancellationTokenSource cancellation) = _waiting[index];
        _waiting.RemoveAt(index);
        if (task.IsCompletedSuccessfully)
        {
            _rents++;
            _pieces.Add(Know(task.Result, size));
            _pieces[^1].Fill(_cookie++);
        }
        else
        {
            Assert.True(task.IsCanceled ? cancellation.IsCancellationRequested : task.Exception?.InnerException is OutOfMemoryException && _system.Source.Failures != 0, "it fails without a reason");
        }
    }

    // Of a block that is cut into pieces of that size.
    private bool HasFreePiece(int size) =>
        _pieces.Where(piece => piece.Block != 0 && piece.HeldBytes == PieceBytes(size)).GroupBy(static piece => piece.Block).Any(block => block.Count() < Block / PieceBytes(size));
}
