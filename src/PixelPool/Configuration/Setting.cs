namespace PixelPool.Configuration;

/// <summary>An option that text can set: an environment variable, or configuration.</summary>
/// <typeparam name="TOptions">What it is an option of. The options name this class, so it does not name them.</typeparam>
/// <param name="name">The name of the option.</param>
internal abstract class Setting<TOptions>(string name)
{
    public string Name { get; } = name;

    /// <param name="text">Null where the setting is there but has no value.</param>
    /// <param name="problem">What is wrong with the value, as a sentence, or null.</param>
    /// <returns>Sets the option, or null when the text cannot be used.</returns>
    public abstract Action<TOptions>? Read(string? text, out string? problem);
}
