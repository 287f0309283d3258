using System.Globalization;
using System.Text.Json;
using PixelPool.Nodes.Lists;
using PixelPool.Nodes.Reporting;

// The first form is what a process of its own does for the second one; benchmarks/fixed-blocks is how people start it.
if (args is ["work", string contender, string threads, string passes])
{
    ListResult result = ListJob.Run(
        Enum.Parse<Contender>(contender), int.Parse(threads, CultureInfo.InvariantCulture), int.Parse(passes, CultureInfo.InvariantCulture));
    Console.WriteLine(JsonSerializer.Serialize(result));
    return 0;
}

if (args is ["compare", string page, string rounds, string command, string note])
{
    new ListPage(int.Parse(rounds, CultureInfo.InvariantCulture)).Write(page, command, note);
    return 0;
}

Console.Error.WriteLine("usage: compare PAGE PASSES COMMAND NOTE   (see benchmarks/fixed-blocks)");
return 1;
