namespace PixelPool.Stress.SmallBursts;

/// <summary>Pieces that the thread remembers in a list.</summary>
/// <param name="sizes">Says how many bytes the next piece has.</param>
/// <param name="take">Takes a piece, and writes to all of it.</param>
/// <param name="giveBack">Returns it.</param>
internal sealed class SmallPieces<TPiece>(Func<int> sizes, Func<int, TPiece> take, Action<TPiece> giveBack) : ISmallPieces
{
    private readonly List<TPiece> _own = [];
    private readonly List<TPiece> _others = [];

    public void Take(long bytes)
    {
        bool isOwn = false;
        for (long taken = 0; taken < bytes;)
        {
            int size = sizes();
            (isOwn ? _own : _others).Add(take(size));
            isOwn = !isOwn;
            taken += size;
        }
    }

    public void ReturnHalf() => _own.ForEach(giveBack);

    public void ReturnRest() => _others.ForEach(giveBack);
}
