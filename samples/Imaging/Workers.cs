using System.Collections.Concurrent;
using System.Runtime.ExceptionServices;

namespace Imaging;

/// <summary>The threads that work on photos at the same time.</summary>
public static class Workers
{
    /// <summary>
    /// One item at a time for each thread: photos differ too much in size for portions. An interruption lets no more begin; those that have begun are finished.
    /// </summary>
    public static void Process<T>(T[] items, int parallelism, CancellationToken interruption, Action<T> process)
    {
        try
        {
            Parallel.ForEach(
                Partitioner.Create(items, EnumerablePartitionerOptions.NoBuffering),
                new ParallelOptions { MaxDegreeOfParallelism = parallelism, CancellationToken = interruption },
                process);
        }
        catch (AggregateException failures)
        {
            // As if there were one thread: who calls knows what to say about a full disk, and not about several.
            ExceptionDispatchInfo.Throw(failures.InnerExceptions[0]);
        }
        catch (OperationCanceledException)
        {
            // Not a failure: whoever watches the progress sees how far it came.
        }
    }
}
