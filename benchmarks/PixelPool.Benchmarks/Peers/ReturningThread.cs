namespace PixelPool.Benchmarks.Peers;

/// <summary>A thread that returns what another one rented, through a ring for one sender and one receiver.</summary>
/// <typeparam name="TRental">What is returned.</typeparam>
internal sealed class ReturningThread<TRental>
    where TRental : struct, IRental<TRental>
{
    private const int Capacity = 8;

    private readonly TRental[] _ring = new TRental[Capacity];
    private RingPositions _positions;

    private ReturningThread() => new Thread(ReturnForEver) { IsBackground = true }.Start();

    public static ReturningThread<TRental> Instance { get; } = new();

    public void Send(TRental rental)
    {
        long sent = _positions.Sent;
        WaitUntilReturned(sent - Capacity + 1);
        _ring[sent % Capacity] = rental;
        Volatile.Write(ref _positions.Sent, sent + 1);
    }

    public void WaitUntilAllReturned() => WaitUntilReturned(_positions.Sent);

    private void WaitUntilReturned(long count)
    {
        SpinWait spin = default;
        while (Volatile.Read(ref _positions.Returned) < count)
        {
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    private void ReturnForEver()
    {
        for (long returned = 0; ; returned++)
        {
            SpinWait spin = default;
            while (Volatile.Read(ref _positions.Sent) == returned)
            {
                spin.SpinOnce(sleep1Threshold: -1);
            }

            _ring[returned % Capacity].Return();
            Volatile.Write(ref _positions.Returned, returned + 1);
        }
    }
}
