namespace PixelPool.Lifetime;

/// <summary>What a rent, a view or a pin remembers of its beginning, for whoever reports it: only they know what that is.</summary>
internal abstract class RentTrace;
