namespace PixelPool.Tests.ManagedMemory;

/// <summary>One operation that is done once, when nearly all managed memory is used.</summary>
/// <param name="Act">The operation.</param>
/// <param name="Check">Ends what it began, and looks at what it left, with memory again. It is told whether the operation was refused.</param>
internal sealed record WalkedRound(Action Act, Action<bool> Check);
