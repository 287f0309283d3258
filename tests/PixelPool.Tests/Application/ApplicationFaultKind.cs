namespace PixelPool.Tests.Application;

/// <summary>What happens in a call of what the application supplies.</summary>
public enum ApplicationFaultKind
{
    /// <summary>It throws.</summary>
    Throws,

    /// <summary>The thread is interrupted where the application's code waits for a lock.</summary>
    IsInterrupted,

    /// <summary>The thread is interrupted meanwhile, and finds out where it blocks next.</summary>
    LeavesInterrupt,
}
