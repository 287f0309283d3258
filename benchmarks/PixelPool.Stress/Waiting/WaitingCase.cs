namespace PixelPool.Stress.Waiting;

/// <summary>Operations that run at the same time under a budget that has no room for all of them.</summary>
/// <param name="Name">What the table calls it.</param>
/// <param name="BudgetBytes">The budget.</param>
/// <param name="Operations">How many operations run at the same time.</param>
/// <param name="End">How they must end.</param>
/// <param name="Operation">One operation.</param>
internal sealed record WaitingCase(string Name, long BudgetBytes, int Operations, WaitingEnd End, Func<WaitingOperation, Task> Operation)
{
    private const long MiB = 1 << 20;

    /// <summary>All cases of a plan.</summary>
    public static IEnumerable<WaitingCase> Of(WaitingPlan plan) =>
    [
        new("loads", 300 * MiB, plan.Loads, WaitingEnd.AllSucceed, OnThread(PhotoLoad.Execute)),
        new("loads", 100 * MiB, plan.Loads, WaitingEnd.AllSucceed, OnThread(PhotoLoad.Execute)),
        new("clients", 352 * MiB, plan.Clients, WaitingEnd.RefusedByName, PhotoClient.ServeAsync),
        new("clients in scopes", 352 * MiB, plan.Clients, WaitingEnd.RefusedByName, PhotoClient.ServeInScopeAsync),
        new("clients with reservations", 352 * MiB, plan.Clients, WaitingEnd.AllSucceed, PhotoClient.ServeReservedAsync),
        new("rotations", 64 * MiB, 2, WaitingEnd.Deadlock, OnThread(PhotoRotation.Execute)),
        new("rotations with reservations", 64 * MiB, 2, WaitingEnd.AllSucceed, OnThread(PhotoRotation.ExecuteReserved)),
        new("awaited rotations", 64 * MiB, 2, WaitingEnd.Deadlock, PhotoRotation.ExecuteAsync),
        new("awaited rotations with reservations", 64 * MiB, 2, WaitingEnd.AllSucceed, PhotoRotation.ExecuteReservedAsync),
    ];

    private static Func<WaitingOperation, Task> OnThread(Action<WaitingOperation> execute) => operation => Task.Factory.StartNew(
        () => execute(operation), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
