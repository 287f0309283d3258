using System.Diagnostics;

namespace PixelPool.Diagnostics;

/// <summary>Where memory was rented: shared by all rents that were made there in the same way.</summary>
internal sealed class RentStack
{
    private readonly string? _text;

    /// <param name="stack">Begins with the frame that called PixelPool.</param>
    /// <param name="place">That frame, as <see cref="RentRecord.Place"/> tells it.</param>
    /// <param name="canBeUnloaded">Whether any code on it can: then only text is remembered, because a frame would keep that code loaded.</param>
    public RentStack(StackTrace stack, string? place, bool canBeUnloaded)
    {
        Place = place;
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

    public string? Place { get; }
}
