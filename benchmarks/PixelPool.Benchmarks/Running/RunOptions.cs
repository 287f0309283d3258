namespace PixelPool.Benchmarks.Running;

/// <summary>What the command line asks for beside the arguments of BenchmarkDotNet.</summary>
/// <param name="Arguments">The arguments of BenchmarkDotNet.</param>
/// <param name="TablesFolder">Where pages are written; null for nowhere.</param>
/// <param name="IsQuick">One short round of everything.</param>
internal sealed record RunOptions(string[] Arguments, string? TablesFolder, bool IsQuick)
{
    public static RunOptions Parse(string[] args)
    {
        List<string> rest = [.. args];
        bool isQuick = rest.Remove("--quick");
        string? tablesFolder = null;
        int tables = rest.IndexOf("--tables");
        if (tables >= 0 && tables + 1 < rest.Count)
        {
            tablesFolder = Path.GetFullPath(rest[tables + 1]);
            rest.RemoveRange(tables, 2);
        }

        return new RunOptions([.. rest], tablesFolder, isQuick);
    }
}
