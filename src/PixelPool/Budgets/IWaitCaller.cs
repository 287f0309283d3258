namespace PixelPool.Budgets;

/// <summary>Who asks for memory and has to wait for it.</summary>
internal interface IWaitCaller
{
    /// <summary>Bytes that it holds already, as far as that is known. Asked once, before it gets in line.</summary>
    long HeldBytes { get; }

    /// <summary>The type that exceptions name, once the scope that asks was disposed; null before, and if it is none.</summary>
    string? DisposedType { get; }

    /// <summary>Those of which one would serve it as well; null: of none.</summary>
    IPieceSource? Pieces { get; }
}
