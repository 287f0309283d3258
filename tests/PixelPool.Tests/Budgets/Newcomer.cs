using PixelPool.Budgets;

namespace PixelPool.Tests.Budgets;

/// <summary>Who asks and holds nothing.</summary>
internal sealed class Newcomer : IWaitCaller
{
    public long HeldBytes => 0;

    public PendingWaits? Scope => null;

    public IPieceSource? Pieces { get; init; }

    public Action? MakeRoom { get; init; }
}
