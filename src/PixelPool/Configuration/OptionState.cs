namespace PixelPool.Configuration;

/// <summary>An option of one object of options, as it is now.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Value">Its value.</param>
/// <param name="Problem">What is wrong with the value, as a sentence, or null.</param>
/// <param name="TrySet">Sets it from text: null, or what is wrong with the text, as a sentence. Then nothing is set. Itself null where only code can set the option.</param>
internal sealed record OptionState(string Name, object? Value, string? Problem, Func<string?, string?>? TrySet);
