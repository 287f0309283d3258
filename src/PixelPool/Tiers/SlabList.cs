namespace PixelPool.Tiers;

/// <summary>Slabs of a stripe, linked, the last added first: nothing is allocated to keep them. Guarded by the lock of the stripe.</summary>
internal struct SlabList
{
    /// <summary>The slab that was added last, or null.</summary>
    public Slab? First { get; private set; }

    public void Add(Slab slab)
    {
        slab.Previous = null;
        slab.Next = First;
        if (First is not null)
        {
            First.Previous = slab;
        }

        First = slab;
    }

    public void Remove(Slab slab)
    {
        if (slab.Previous is null)
        {
            First = slab.Next;
        }
        else
        {
            slab.Previous.Next = slab.Next;
        }

        if (slab.Next is not null)
        {
            slab.Next.Previous = slab.Previous;
        }
    }
}
