using System.Diagnostics;

namespace PixelPool.Diagnostics;

/// <summary>Where memory was rented: shared by all rents that were made there in the same way.</summary>
internal sealed class RentStack
{
    private readonly string? _text;
    private string? _place;

    /// <summary>With files and lines, without the frames that <see cref="WrappingLibraries"/> leaves out.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="canBeUnloaded">Whether any code on it can: then only text is remembered, because a frame would keep that code loaded.</param>
    public RentStack(StackTrace stack, bool canBeUnloaded)
    {
        _place = PlaceOf(stack);
        _text = canBeUnloaded ? stack.ToString() : null;
        Stack = canBeUnloaded ? null : stack;
    }

#if NET
    private readonly StackTrace? _frames;

    /// <summary>Nothing is looked up before somebody asks.</summary>
    /// <param name="frames">All frames, PixelPool's own, too, in which files and lines can be found.</param>
    public RentStack(StackTrace frames) => _frames = frames;
#endif

    /// <summary>Null when some of its code can be unloaded.</summary>
    public StackTrace? Stack => field ??= Find(int.MaxValue);

    /// <summary>All frames, written when somebody asks, unless they had to be before.</summary>
    public string Text => _text ?? Stack!.ToString();

    /// <summary>The first frame, as <see cref="RentRecord.Place"/> tells it.</summary>
    public string? Place => _place ??= Find(1) is { } caller ? PlaceOf(caller) : null;

    // No more than are asked for: a refusal may ask for the places of all rents.
    private StackTrace? Find(int most) =>
#if NET
        _frames is not null ? SourceFrame.Find(_frames, WrappingLibraries.CountFrames(_frames), most) :
#endif
        null;

    private static string? PlaceOf(StackTrace stack) => stack.GetFrame(0) is { } caller ? StackPlace.Describe(caller) : null;
}
