namespace PixelPool.Configuration;

/// <summary>How a value is written in a setting. Never depends on the culture.</summary>
/// <param name="parse">Null when the text is no such value.</param>
/// <param name="description">Ends the sentence "It is not …".</param>
internal sealed class SettingFormat<T>(Func<string, T?> parse, string description)
    where T : struct
{
    public string Description { get; } = description;

    public T? Parse(string text) => parse(text);
}
