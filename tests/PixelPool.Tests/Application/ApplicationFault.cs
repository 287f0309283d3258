namespace PixelPool.Tests.Application;

/// <summary>Lets the k-th call of all that an application supplies throw: a clock, timers, a pool of arrays, memory pressure, handlers, delegates. Thread-safe.</summary>
/// <param name="failing">Which call throws, counted from 1. 0 for none.</param>
/// <param name="only">The member whose calls count. Null for all.</param>
internal sealed class ApplicationFault(int failing, string? only = null)
{
    private int _calls;

    /// <summary>What threw, or null.</summary>
    public string? Thrown { get; private set; }

    /// <summary>Nothing throws any more.</summary>
    public bool IsHealed { get; set; }

    /// <summary>To be called by every member that is supplied.</summary>
    public void Call(string member)
    {
        if (!IsHealed && (only is null || only == member) && Interlocked.Increment(ref _calls) == failing)
        {
            Thrown = member;
            throw new ApplicationFaultException(member);
        }
    }
}
