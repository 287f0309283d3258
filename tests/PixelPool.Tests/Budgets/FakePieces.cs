using PixelPool.Budgets;

namespace PixelPool.Tests.Budgets;

/// <summary>Pieces of a test, of which none is free.</summary>
internal sealed class FakePieces : IPieceSource
{
    /// <summary>Requests in line that one would serve.</summary>
    public int Waiting { get; private set; }

    /// <summary>What came back unused.</summary>
    public List<(object Slab, nint Address)> TakenBack { get; } = [];

    public void CountWaiting(int change) => Waiting += change;

    public void ServeWaiting()
    {
    }

    public void TakeBack(object slab, nint address) => TakenBack.Add((slab, address));
}
