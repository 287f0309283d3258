namespace Everywhere.Exercise;

/// <summary>Runs checks one after the other, and says which of them hold.</summary>
internal sealed class Checks
{
    private int _passed;
    private int _failed;

    public void Run(string name, Action check)
    {
        try
        {
            check();
            _passed++;
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

    /// <summary>The same, where this kind of process can do it.</summary>
    /// <param name="obstacle">Why it cannot; null if it can.</param>
    public void Run(string name, Action check, string? obstacle)
    {
        if (obstacle is null)
        {
            Run(name, check);
        }
        else
        {
            Console.WriteLine($"not run {name}: {obstacle}");
        }
    }

    /// <returns>The exit code.</returns>
    public int Finish()
    {
        Console.WriteLine($"{_passed} passed, {_failed} failed");
        return _failed == 0 ? 0 : 1;
    }

    public static void Equal<T>(T expected, T actual)
    {
        if (!EqualityComparer<T>.Default.Equals(expected, actual))
        {
            throw new InvalidOperationException($"expected {expected}, got {actual}");
        }
    }

    public static void True(bool holds, string otherwise)
    {
        if (!holds)
        {
            throw new InvalidOperationException(otherwise);
        }
    }

    public static void Contains(string part, string? text) =>
        True(text is not null && text.IndexOf(part, StringComparison.Ordinal) >= 0, $"expected “{part}” in: {text}");

    public static T Throws<T>(Action action)
        where T : Exception
    {
        try
        {
            action();
        }
        catch (T e) when (e.GetType() == typeof(T))
        {
            return e;
        }

        throw new InvalidOperationException($"no {typeof(T)} was thrown");
    }

    /// <summary>At the end of a check: nothing is rented, charged or waiting, and the bytes add up.</summary>
    public static void NothingIsLeft(PixelAllocator allocator)
    {
        PixelPoolStatistics statistics = allocator.GetStatistics();
        Equal((0L, 0L, 0L), (statistics.RentedBytes, statistics.ExternalBytes, statistics.WaitingRents));
        Equal(statistics.AllocatedBytes - statistics.ReleasedBytes, statistics.RentedBytes + statistics.IdleBytes);
        allocator.Trim();
        statistics = allocator.GetStatistics();
        Equal((0L, 0L), (statistics.ChargedBytes, statistics.IdleBytes));
    }
}
