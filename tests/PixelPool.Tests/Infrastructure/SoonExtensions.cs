namespace PixelPool.Tests.Infrastructure;

/// <summary>Awaits what nothing stands in the way of.</summary>
internal static class SoonExtensions
{
    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <summary>The task, or a failure of the test instead of a run that never ends.</summary>
    public static Task<T> SoonAsync<T>(this Task<T> task) => task.WaitAsync(s_limit, TestContext.Current.CancellationToken);

    /// <inheritdoc cref="SoonAsync{T}(Task{T})"/>
    public static Task SoonAsync(this Task task) => task.WaitAsync(s_limit, TestContext.Current.CancellationToken);
}
