using System.Diagnostics;

namespace PixelPool.Diagnostics;

/// <summary>Where memory was rented: shared by all rents that were made there in the same way.</summary>
/// <param name="stack">Begins with the frame that called PixelPool.</param>
internal sealed class RentStack(StackTrace stack)
{
    public StackTrace Stack { get; } = stack;

    /// <summary>The first frame, as <see cref="RentRecord.Place"/> tells it.</summary>
    public string? Place { get; } = stack.GetFrame(0) is { } frame ? StackPlace.Describe(frame) : null;
}
