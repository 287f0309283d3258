namespace PixelPool.Configuration;

/// <summary>Says whether a text is a value, and which.</summary>
/// <param name="text">Null where a setting is there but has no value, which is a value of some options.</param>
/// <param name="value">The value.</param>
internal delegate bool SettingParser<T>(string? text, out T value);
