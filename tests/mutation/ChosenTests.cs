using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests;

/// <summary>The entry point for mutation tests: who asks this executable for tests gets those that the environment chooses.</summary>
internal static class ChosenTests
{
    // Arguments that choose tests, with spaces between them.
    private const string Variable = "PIXELPOOLTESTS_CHOSEN";

    public static int Main(string[] args)
    {
        string chosen = args.Contains("--server") ? Environment.GetEnvironmentVariable(Variable) ?? "" : "";
        return ChildProcess.Main([.. args, .. chosen.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);
    }
}
