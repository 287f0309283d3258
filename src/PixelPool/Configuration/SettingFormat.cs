namespace PixelPool.Configuration;

/// <summary>How a value is written in a setting. Never depends on the culture.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="text">Null where a setting is there but has no value, which is a value of some options.</param>
/// <param name="value">What is written.</param>
/// <returns>Null, or what the text is not: the end of the sentence "It is not …".</returns>
internal delegate string? SettingFormat<T>(string? text, out T value);
