namespace LoadResizeSave.Reporting;

/// <summary>How many of what: one file, two files.</summary>
internal static class Count
{
    public static string Of(long count, string one) => Of(count, one, one + "s");

    public static string Of(long count, string one, string several) => $"{count} {(count == 1 ? one : several)}";
}
