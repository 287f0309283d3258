namespace PixelPool.Tests.ModelBased;

/// <summary>A scope, as the model knows it.</summary>
/// <param name="Scope">The scope.</param>
/// <param name="Outer">The scope around it.</param>
/// <param name="LimitBytes">Its budget; null if it has none of its own.</param>
/// <param name="IsReservation">Whether all of that is charged to those around it.</param>
internal sealed record KnownScope(RentScope Scope, KnownScope? Outer, long? LimitBytes, bool IsReservation)
{
    public bool IsClosed { get; set; }

    /// <summary>Whose budget pays for what is rented through it; null for the allocator's.</summary>
    public KnownScope? Payer => LimitBytes is null ? Outer?.Payer : this;

    public bool IsWithin(KnownScope other) => this == other || (Outer is not null && Outer.IsWithin(other));
}
