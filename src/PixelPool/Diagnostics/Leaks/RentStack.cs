using System.Diagnostics;

namespace PixelPool.Diagnostics;

/// <summary>Where memory was rented: shared by all rents that were made there in the same way.</summary>
internal sealed class RentStack
{
    private readonly string? _text;

    /// <param name="stack">Begins with the frame that called PixelPool.</param>
    /// <param name="canBeUnloaded">Whether any code on it can: then only text is remembered, because a frame would keep that code loaded.</param>
    public RentStack(StackTrace stack, bool canBeUnloaded)
    {
        Place = stack.GetFrame(0) is { } frame ? StackPlace.Describe(frame) : null;
        if (canBeUnloaded)
        {
            _text = stack.ToString();
        }
        else
        {
            Stack = stack;
        }
    }

    /// <summary>Null when some of its code can be unloaded.</summary>
    public StackTrace? Stack { get; }

    /// <summary>All frames, written when somebody asks, unless they had to be before.</summary>
    public string Text => _text ?? Stack!.ToString();

    /// <summary>The first frame, as <see cref="RentRecord.Place"/> tells it.</summary>
    public string? Place { get; }
}
