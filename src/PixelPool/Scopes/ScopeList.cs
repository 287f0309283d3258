using PixelPool.Lifetime;

namespace PixelPool;

/// <summary>What a scope owns and nobody returned yet. Changed under the scope's lock.</summary>
/// <typeparam name="TOwned">Objects, or leases, which are none.</typeparam>
internal struct ScopeList<TOwned>
    where TOwned : IRentHandle
{
    // What is disposed is looked for when the list has doubled since: that costs a moment per rent, and the list is never more than twice as long as needed.
    private const int FewHandles = 16;

    private List<TOwned>? _owned;
    private int _pruneAt;

    public void Add(TOwned owned)
    {
        _owned ??= new List<TOwned>(4);
        if (_owned.Count >= Math.Max(FewHandles, _pruneAt))
        {
            _owned.RemoveAll(HasEnded);
            _pruneAt = 2 * _owned.Count;
        }

        _owned.Add(owned);
    }

    /// <summary>Returns everything, the last rented first.</summary>
    public unsafe void Return()
    {
        List<TOwned>? owned = _owned;
        _owned = null;
        EachOf.End(owned?.Count ?? 0, owned, &DisposeOne);
    }

    // No lambda: one that captures nothing is kept by a type with an initializer, which fails for good where there is no memory.
    private static bool HasEnded(TOwned owned) => owned.IsDisposed;

    private static void DisposeOne(List<TOwned>? owned, int index) => owned![index].Dispose();
}
