namespace PixelPool.Configuration;

/// <summary>How a value is written in a setting. Never depends on the culture.</summary>
/// <param name="parse">Says whether the text is such a value.</param>
/// <param name="description">Ends the sentence "It is not …".</param>
internal sealed class SettingFormat<T>(SettingParser<T> parse, string description)
{
    public string Description { get; } = description;

    public bool TryParse(string? text, out T value) => parse(text, out value);
}
