namespace PixelPool.Benchmarks.Tables;

/// <summary>What stands above the table of a class.</summary>
/// <param name="title">The heading.</param>
/// <param name="text">What is measured, and how to read it.</param>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class PageAttribute(string title, string text) : Attribute
{
    public static PageAttribute Of(Type type) => (PageAttribute)GetCustomAttribute(type, typeof(PageAttribute))!;

    public string Title { get; } = title;

    public string Text { get; } = text;

    /// <summary>The parameter whose values stand side by side in a first, small table; null for none.</summary>
    public string? Across { get; init; }

    /// <summary>Whether operations per second are shown.</summary>
    public bool HasThroughput { get; init; }
}
