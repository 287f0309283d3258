namespace PixelPool.Diagnostics.Text;

/// <summary>Writes a time as a person reads it: <c>250 ms</c>, <c>35.1 s</c>, <c>2 min 5 s</c>, <c>3 h 20 min</c>.</summary>
internal static class HumanTime
{
    public static string Format(TimeSpan time) =>
        time < TimeSpan.FromSeconds(1) ? FormattableString.Invariant($"{time.TotalMilliseconds:0.#} ms")
        : time < TimeSpan.FromMinutes(1) ? FormattableString.Invariant($"{Math.Floor(time.TotalSeconds * 10) / 10:0.#} s")
        : time < TimeSpan.FromHours(1) ? FormattableString.Invariant($"{time.Minutes} min {time.Seconds} s")
        : FormattableString.Invariant($"{Math.Floor(time.TotalHours)} h {time.Minutes} min");
}
