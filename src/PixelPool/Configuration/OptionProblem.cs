namespace PixelPool.Configuration;

/// <summary>An option that has a value it must not have.</summary>
/// <param name="Option">Its name.</param>
/// <param name="Value">Its value.</param>
/// <param name="Allowed">What it must be; ends the sentence "… must be".</param>
internal sealed record OptionProblem(string Option, object? Value, string Allowed)
{
    public string Message => $"{Option} must be {Allowed}.";
}
