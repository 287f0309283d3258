using LoadResizeSave.CommandLine;
using LoadResizeSave.Reporting;
using PixelPool.Stress.Measuring;

namespace PixelPool.Stress.Thumbnails;

/// <summary>The sample as it is, from its command line to its figures, in a process of its own.</summary>
internal static class ThumbnailRun
{
    private static readonly FreshProcess<ThumbnailJob, RunFigures> s_process = new("thumbnail-run", Execute);

    public static System.CommandLine.Command Command => s_process.Command();

    /// <remarks>With the setting that the sample's own project has.</remarks>
    public static RunFigures InFreshProcess(ThumbnailJob job) => s_process.Run(job, ("DOTNET_TC_QuickJitForLoops", "0"));

    private static RunFigures Execute(ThumbnailJob job)
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("PixelPool.Stress.");
        try
        {
            string figures = Path.Combine(folder.FullName, "figures.json");
            string[] arguments =
            [
                "--output", folder.FullName, "--figures", figures, "--allocator", job.Allocator,
                "--parallelism", $"{job.Parallelism}", "--repetitions", $"{job.Repetitions}",
                .. job.Photos is { } photos ? (string[])["--input", photos] : [],
            ];
            int exitCode = ThumbnailCommand.Create(LoadResizeSave.Pipeline.ThumbnailRun.ExecuteAsync).Parse(arguments).Invoke();
            return exitCode == ExitCode.Success
                ? RunFigures.Load(figures)
                : throw new InvalidOperationException($"The sample ended with {exitCode}.");
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
