namespace PixelPool.Budgets;

/// <summary>Who asks for memory and has to wait for it.</summary>
internal interface IWaitCaller
{
    /// <summary>Bytes that it holds already, as far as that is known. Asked once, before it gets in line.</summary>
    long HeldBytes { get; }

    /// <summary>Where the requests of the scope that asks wait; null: it is none.</summary>
    PendingWaits? Scope { get; }

    /// <summary>Those of which one would serve it as well; null: of none.</summary>
    IPieceSource? Pieces { get; }

    /// <summary>Makes room where nobody else does; null: nothing. Called from time to time by the thread that is blocked. What it throws ends the wait.</summary>
    Action? MakeRoom { get; }
}
