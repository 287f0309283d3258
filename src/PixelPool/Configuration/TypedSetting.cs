namespace PixelPool.Configuration;

/// <summary>An option of one type.</summary>
/// <param name="name">The name of the option.</param>
/// <param name="format">How its values are written.</param>
/// <param name="set">Sets the option.</param>
/// <param name="range">Says what a value must be that is outside of its range, and null otherwise. Null: every value that can be written is allowed.</param>
internal sealed class TypedSetting<TOptions, TValue>(string name, SettingFormat<TValue> format, Action<TOptions, TValue> set, Func<TValue, string?>? range)
    : Setting<TOptions>(name)
{
    public override Action<TOptions>? Read(string? text, out string? problem)
    {
        problem = !format.TryParse(text, out TValue value) ? $"It is not {format.Description}."
            : range?.Invoke(value) is { } allowed ? $"It must be {allowed}."
            : null;
        return problem is null ? options => set(options, value) : null;
    }
}
