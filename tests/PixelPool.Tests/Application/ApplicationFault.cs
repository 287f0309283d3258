namespace PixelPool.Tests.Application;

/// <summary>Lets the k-th call of all that an application supplies fail: a clock, timers, a pool of arrays, memory pressure, handlers, delegates. Thread-safe.</summary>
/// <param name="failing">Which call fails, counted from 1. 0 for none.</param>
/// <param name="only">The member whose calls count. Null for all.</param>
/// <param name="kind">How it fails. Only calls on the thread that made this can be interrupted, and others do not count then.</param>
internal sealed class ApplicationFault(int failing, string? only = null, ApplicationFaultKind kind = ApplicationFaultKind.Throws)
{
    private readonly Thread _thread = Thread.CurrentThread;
    private int _calls;

    /// <summary>How it fails.</summary>
    public ApplicationFaultKind Kind => kind;

    /// <summary>What failed, or null.</summary>
    public string? Thrown { get; private set; }

    /// <summary>Nothing fails any more.</summary>
    public bool IsHealed { get; set; }

    /// <summary>To be called by every member that is supplied.</summary>
    public void Call(string member)
    {
        if (IsHealed
            || (only is not null && only != member)
            || (kind != ApplicationFaultKind.Throws && Thread.CurrentThread != _thread)
            || Interlocked.Increment(ref _calls) != failing)
        {
            return;
        }

        Thrown = member;
        if (kind == ApplicationFaultKind.Throws)
        {
            throw new ApplicationFaultException(member);
        }

        _thread.Interrupt();
        if (kind == ApplicationFaultKind.IsInterrupted)
        {
            _thread.Join(0);
        }
    }
}
