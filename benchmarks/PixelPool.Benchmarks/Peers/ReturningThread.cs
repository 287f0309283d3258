using PixelPool.Measuring;

namespace PixelPool.Benchmarks.Peers;

/// <summary>A thread that returns what another one rented.</summary>
/// <typeparam name="TRental">What is returned.</typeparam>
internal sealed class ReturningThread<TRental>
    where TRental : struct, IRental<TRental>
{
    private readonly HandoverRing<TRental> _ring = new(capacity: 8);

    private ReturningThread() => new Thread(ReturnForEver) { IsBackground = true }.Start();

    public static ReturningThread<TRental> Instance { get; } = new();

    public void Send(TRental rental) => _ring.Send(rental);

    public void WaitUntilAllReturned() => _ring.WaitUntilEmpty();

    private void ReturnForEver()
    {
        while (true)
        {
            _ring.Receive().Return();
            _ring.MarkDone();
        }
    }
}
