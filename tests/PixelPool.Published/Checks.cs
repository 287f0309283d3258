namespace PixelPool.Published;

/// <summary>Runs checks one after the other, and says which of them hold.</summary>
internal sealed class Checks
{
    private int _failed;

    public void Run(string name, Action check)
    {
        try
        {
            check();
            Console.WriteLine("holds   " + name);
        }
#pragma warning disable CA1031 // whatever it is, it is shown
        catch (Exception e)
        {
            _failed++;
            Console.WriteLine("FAILS   " + name + Environment.NewLine + e);
        }
#pragma warning restore CA1031
    }

    /// <returns>The exit code.</returns>
    public int Finish() => _failed == 0 ? 0 : 1;

    public static void Equal<T>(T expected, T actual)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new InvalidOperationException($"expected {expected}, got {actual}");
        }
    }

    public static void Contains(string part, string? text)
    {
        if (text?.Contains(part, StringComparison.Ordinal) != true)
        {
            throw new InvalidOperationException($"expected “{part}” in: {text}");
        }
    }
}
