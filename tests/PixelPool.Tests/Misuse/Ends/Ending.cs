namespace PixelPool.Tests.Misuse.Ends;

/// <summary>Something that ends, before or after the others of a scenario.</summary>
/// <param name="Name">What it is.</param>
/// <param name="End">Ends it. May be called again.</param>
/// <param name="Use">Uses it, and fails if it is not what it was. When it has ended that is an <see cref="ObjectDisposedException"/>.</param>
/// <param name="EndsWith">Whose end makes it unusable, too.</param>
internal sealed record Ending(string Name, Action End, Action Use, params string[] EndsWith)
{
    /// <summary>False when its own end does nothing.</summary>
    public bool EndsItself { get; init; } = true;

    /// <summary>If not empty: it can be used until all of these have ended.</summary>
    public string[] HeldBy { get; init; } = [];

    public bool Lives(IReadOnlySet<string> ended) =>
        !(EndsItself && ended.Contains(Name)) && !EndsWith.Any(ended.Contains) && (HeldBy.Length == 0 || !HeldBy.All(ended.Contains));
}
