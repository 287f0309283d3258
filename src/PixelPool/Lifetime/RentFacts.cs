using PixelPool.Diagnostics;

namespace PixelPool.Lifetime;

/// <summary>What a guard knows of its rent, at one moment.</summary>
/// <param name="Bytes">Bytes that it holds.</param>
/// <param name="Kind">What it holds.</param>
/// <param name="CountsByItself">Whether the allocator's budget is charged for it: it is no part of a reservation that is listed, too, and no memory that is not charged.</param>
/// <param name="Tag">What it is for, if that was said.</param>
/// <param name="Trace">What is remembered of its beginning, if anything is.</param>
/// <param name="Holder">What keeps it from being returned.</param>
/// <param name="HolderTrace">What is remembered of the oldest view or pin that holds it, if anything is.</param>
internal readonly record struct RentFacts(long Bytes, RentKind Kind, bool CountsByItself, string? Tag, RentTrace? Trace, RentHolder Holder, RentTrace? HolderTrace);
