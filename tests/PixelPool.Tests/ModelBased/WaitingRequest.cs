namespace PixelPool.Tests.ModelBased;

/// <summary>A request that waits for budget, as the model knows it.</summary>
/// <param name="Blocks">What it asks for.</param>
/// <param name="Rank">0: small, of whoever holds much; 1: small; 2: of whoever holds anything; 3: any other.</param>
/// <param name="Holder">The scope, or the thread, that asks; −1 for none.</param>
/// <param name="EndsAt">When its time is over, in quarters of a second.</param>
/// <param name="Task">Its task, which gives the image.</param>
/// <param name="End">Ends it.</param>
/// <param name="Ended">The exception that it ends with then.</param>
internal sealed record WaitingRequest(int Blocks, int Rank, int Holder, long EndsAt, Task<IDisposable> Task, Action End, Type Ended);
