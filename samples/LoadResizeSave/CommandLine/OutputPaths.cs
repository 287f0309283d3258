namespace LoadResizeSave.CommandLine;

/// <summary>Tries what a run will write at its end, so that nobody waits for figures that have no place.</summary>
internal static class OutputPaths
{
    /// <summary>Makes the folder for the thumbnails, and changes nothing else.</summary>
    /// <returns>What is wrong; <see langword="null"/> when all can be written.</returns>
    public static string? Problem(Settings settings) =>
        Problem("--output", settings.Output, TryFolder)
        ?? Problem("--output", settings.ChartPath, TryFile)
        ?? (settings.Figures is { } figures ? Problem("--figures", figures, TryFile) : null);

    private static string? Problem(string option, string path, Action<string> tryIt)
    {
        try
        {
            tryIt(path);
            return null;
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            return $"Option '{option}': {path} cannot be written. {problem.Message}";
        }
    }

    private static void TryFolder(string path)
    {
        Directory.CreateDirectory(path);
        TryFile(Path.Combine(path, Path.GetRandomFileName()));
    }

    private static void TryFile(string path)
    {
        bool wasThere = File.Exists(path);
        using (new FileStream(path, FileMode.OpenOrCreate, FileAccess.Write))
        {
        }

        if (!wasThere)
        {
            File.Delete(path);
        }
    }
}
