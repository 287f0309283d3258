namespace PixelPool.Stress.FreshPages;

/// <summary>One kind of pages, in a process of its own.</summary>
/// <param name="UseHugePages">Whether huge pages are asked for.</param>
/// <param name="PauseSeconds">How long nothing happens before memory is got, while none is held: time for the host of a virtual machine to take it.</param>
/// <param name="Rounds">How often.</param>
internal sealed record FreshPagesJob(bool UseHugePages, int PauseSeconds, int Rounds);
