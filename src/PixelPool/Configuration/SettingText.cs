namespace PixelPool.Configuration;

/// <summary>Understands the text of an option.</summary>
/// <typeparam name="TOptions">What it is an option of. The options name this delegate, so it does not name them.</typeparam>
/// <param name="option">The name of the option.</param>
/// <param name="text">Null where the setting is there but has no value.</param>
/// <param name="problem">What is wrong with the value, as a sentence, or null.</param>
/// <returns>Sets the option, or null when the text cannot be used.</returns>
internal delegate Action<TOptions>? SettingText<TOptions>(string option, string? text, out string? problem);
