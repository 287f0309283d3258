using System.Diagnostics;

namespace PixelPool.AspNetCore.Tests.Infrastructure;

/// <summary>A real browser without a window, with a profile of its own.</summary>
internal sealed class Browser : IDisposable
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(2);

    private readonly DirectoryInfo _profile = Directory.CreateTempSubdirectory("pixelpool-browser-");

    /// <summary>Null where there is none.</summary>
    public static string? Path { get; } = (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(System.IO.Path.PathSeparator)
        .SelectMany(static folder => new[] { "chromium", "chromium-browser", "google-chrome" }.Select(name => System.IO.Path.Combine(folder, name)))
        .FirstOrDefault(File.Exists);

    /// <summary>Opens an address on a dark or light screen, and takes a picture of it.</summary>
    /// <returns>The picture as PNG, and what the browser complained about.</returns>
    public async Task<(byte[] Picture, string Messages)> ShootAsync(string address, bool isDark)
    {
        string picture = System.IO.Path.Combine(_profile.FullName, "picture.png");
        var start = new ProcessStartInfo(Path!) { RedirectStandardError = true, RedirectStandardOutput = true };
        string[] arguments =
        [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--enable-logging=stderr", "--window-size=400,300",
            $"--user-data-dir={_profile.FullName}", $"--blink-settings=preferredColorScheme={(isDark ? 0 : 1)}", $"--screenshot={picture}", address,
        ];
        foreach (string argument in arguments)
        {
            start.ArgumentList.Add(argument);
        }

        using Process browser = Process.Start(start)!;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(s_timeLimit);
        try
        {
            Task<string> output = browser.StandardOutput.ReadToEndAsync(limit.Token);
            string messages = await browser.StandardError.ReadToEndAsync(limit.Token);
            await output;
            await browser.WaitForExitAsync(limit.Token);
            return (await File.ReadAllBytesAsync(picture, limit.Token), messages);
        }
        finally
        {
            if (!browser.HasExited)
            {
                browser.Kill(entireProcessTree: true);
            }
        }
    }

    public void Dispose() => _profile.Delete(recursive: true);
}
