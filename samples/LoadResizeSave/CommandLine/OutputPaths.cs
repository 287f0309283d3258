namespace LoadResizeSave.CommandLine;

/// <summary>Tries what a run will write at its end, so that nobody waits for figures that have no place.</summary>
internal static class OutputPaths
{
    public const string SameFolder = "Options '--input' and '--output' name the same folder: thumbnails would replace photos.";

    /// <summary>Makes the folder for the thumbnails, and changes nothing else.</summary>
    /// <returns>What is wrong; <see langword="null"/> when all can be written.</returns>
    public static string? Problem(Settings settings)
    {
        bool isInput = false;
        return Problem("--output", settings.Output, folder => isInput = TryFolder(folder, settings.Input))
            ?? (isInput ? SameFolder : null)
            ?? Problem("--output", settings.ChartPath, TryFile)
            ?? (settings.Figures is { } figures ? Problem("--figures", figures, TryFile) : null);
    }

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

    /// <returns>Whether it is the folder of the photos. Links and letter case give a folder other names; a file that is made in one can be seen in the other.</returns>
    private static bool TryFolder(string path, string? input)
    {
        Directory.CreateDirectory(path);
        string name = Path.GetRandomFileName();
        using (new FileStream(Path.Combine(path, name), FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 1, FileOptions.DeleteOnClose))
        {
            return input is not null && File.Exists(Path.Combine(input, name));
        }
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
