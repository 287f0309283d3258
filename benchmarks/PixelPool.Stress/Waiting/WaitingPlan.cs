namespace PixelPool.Stress.Waiting;

/// <summary>Who waits for budget, and how often.</summary>
/// <param name="Loads">Threads that load and resize a photo at the same time.</param>
/// <param name="Clients">Clients of a service that await their memory at the same time.</param>
/// <param name="Rounds">How often everything is run.</param>
/// <param name="Seed">Of sizes and pauses; each round adds one.</param>
internal sealed record WaitingPlan(int Loads, int Clients, int Rounds, int Seed);
