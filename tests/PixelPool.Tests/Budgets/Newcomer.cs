using PixelPool.Budgets;

namespace PixelPool.Tests.Budgets;

/// <summary>Who asks and holds nothing.</summary>
internal sealed class Newcomer : IWaitCaller
{
    public long HeldBytes => 0;

    public string? DisposedType { get; set; }

    public IPieceSource? Pieces { get; init; }
}
