using System.Collections.Concurrent;

namespace PixelPool.Tests.Lifetime;

/// <summary>A thread that disposes what finalizers hand to it, while they still run.</summary>
internal sealed class DisposingThread : IDisposable
{
    private readonly BlockingCollection<PixelBuffer<uint>?> _handedOver = [];
    private readonly SemaphoreSlim _allDisposed = new(0);
    private readonly Thread _thread;

    public DisposingThread()
    {
        _thread = new Thread(Work);
        _thread.Start();
    }

    public void HandOver(PixelBuffer<uint> image) => _handedOver.Add(image);

    /// <summary>Waits until all that was handed over is disposed: that the queue is empty would not say it of the last one.</summary>
    public void AwaitAll()
    {
        _handedOver.Add(null);
        _allDisposed.Wait();
    }

    public void Dispose()
    {
        _handedOver.CompleteAdding();
        _thread.Join();
        _handedOver.Dispose();
        _allDisposed.Dispose();
    }

    // Awake from the first image of a round to its end: who had to be woken for each would come too late for the race.
    private void Work()
    {
        foreach (PixelBuffer<uint>? first in _handedOver.GetConsumingEnumerable())
        {
            PixelBuffer<uint>? image = first;
            while (image is not null)
            {
                image.Dispose();
                while (!_handedOver.TryTake(out image))
                {
                    if (_handedOver.IsCompleted)
                    {
                        return;
                    }
                }
            }

            _allDisposed.Release();
        }
    }
}
