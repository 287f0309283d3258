using System.Text.Json;
using ImageSharp.Comparison.Reporting;
using ImageSharp.Comparison.Work;

// The first form is what a process of its own does for the second one; benchmarks/imagesharp is how people start it.
if (args is ["work", string kind, string contender, string photos])
{
    Console.WriteLine(JsonSerializer.Serialize(Job.Run(Enum.Parse<JobKind>(kind), Enum.Parse<Contender>(contender), photos)));
    return 0;
}

if (args is ["compare", string page, string folder, string roundsText, .. string[] programs] && int.TryParse(roundsText, out int rounds) && programs.Length > 0)
{
    new ComparisonPage(folder, rounds).Write(page, programs);
    return 0;
}

if (args is ["draw", string drawn])
{
    DrawnPhotos.Save(drawn);
    return 0;
}

Console.Error.WriteLine("usage: draw FOLDER | compare PAGE PHOTOS ROUNDS PROGRAM…   (see benchmarks/imagesharp)");
return 1;
