namespace PixelPool.Tests.ModelBased;

/// <summary>Memory that is rented, or only charged, as the model knows it: as long as it has a handle.</summary>
/// <param name="HeldBytes">What it holds and charges.</param>
/// <param name="Payer">The scope whose budget pays; null for the allocator's.</param>
/// <param name="Block">Where the block begins that it is a piece of, if it is one of a slab.</param>
internal sealed record RentedMemory(long HeldBytes, KnownScope? Payer, nint Block)
{
    /// <summary>Whether it is memory of other code.</summary>
    public bool IsExternal { get; init; }

    /// <summary>The scope through which it was rented. While that is open it knows of every rent, as long as anything holds the memory.</summary>
    public KnownScope? Scope { get; init; }

    /// <summary>What its bytes are made of.</summary>
    public byte Cookie { get; set; }

    /// <summary>Images, views and pins that hold it.</summary>
    public List<Handle> Handles { get; } = [];
}
