using System.Collections.Concurrent;

namespace PixelPool.Tests.Budgets;

/// <summary>An owner whose finalizer disposes what it holds.</summary>
internal sealed class BudgetOwner(ConcurrentQueue<Exception> failures)
{
    ~BudgetOwner()
    {
        try
        {
            foreach (IDisposable held in Held)
            {
                held.Dispose();
            }
        }
#pragma warning disable CA1031 // the test looks at it: the process must not end here
        catch (Exception e)
        {
            failures.Enqueue(e);
        }
#pragma warning restore CA1031
    }

    public IDisposable[] Held { get; set; } = [];
}
