namespace PixelPool.Tests.ModelBased;

/// <summary>A request that waits for budget, as the model knows it.</summary>
/// <param name="Blocks">What it asks for.</param>
/// <param name="Rank">0: small, of whoever holds much; 1: small; 2: of whoever holds anything; 3: any other.</param>
/// <param name="Scope">The scope that asks; −1 for none.</param>
/// <param name="EndsAt">When its time is over, in quarters of a second.</param>
/// <param name="Task">Its task, which gives the image.</param>
/// <param name="Cancellation">Ends it.</param>
internal sealed record WaitingRequest(int Blocks, int Rank, int Scope, long EndsAt, Task<IDisposable> Task, CancellationTokenSource Cancellation);
