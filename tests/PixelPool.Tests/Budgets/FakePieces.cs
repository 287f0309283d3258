using PixelPool.Budgets;

namespace PixelPool.Tests.Budgets;

/// <summary>Pieces of a test.</summary>
internal sealed class FakePieces : IPieceSource
{
    /// <summary>Requests in line that one would serve.</summary>
    public int Waiting { get; private set; }

    /// <summary>What came back unused.</summary>
    public List<(object Slab, nint Address)> TakenBack { get; } = [];

    public void CountWaiting(int change) => Waiting += change;

    /// <summary>Hands a free piece to whoever waits; null when none is free.</summary>
    public Action? Serve { get; set; }

    public void ServeWaiting() => Serve?.Invoke();

    public void TakeBack(object slab, nint address) => TakenBack.Add((slab, address));
}
