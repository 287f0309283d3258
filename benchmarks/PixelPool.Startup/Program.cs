using System.Globalization;
using PixelPool.Startup;

// The first form is what a process of its own does for the second one; benchmarks/startup is how people start it.
if (args is ["work", string contender])
{
    ShortProgram.Run(contender);
    return 0;
}

if (args is ["compare", string page, string runs, string command, string note, .. string[] folders])
{
    StartupPage.Write(page, int.Parse(runs, CultureInfo.InvariantCulture), command, note, folders);
    return 0;
}

Console.Error.WriteLine("usage: compare PAGE RUNS COMMAND NOTE FOLDER…   (see benchmarks/startup)");
return 1;
