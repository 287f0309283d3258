using System.CommandLine;
using ThumbnailService.Load.Firing;
using ThumbnailService.Load.Photos;
using ThumbnailService.Load.Reporting;

namespace ThumbnailService.Load.CommandLine;

/// <summary>What <c>samples/ThumbnailService/demonstrate</c> calls, one step after the other.</summary>
internal static class LoadCommand
{
    private static readonly Argument<DirectoryInfo> s_folder = new("folder");

    public static RootCommand Create() => new("The other side of the thumbnail service's demonstration: photos, requests, and the page about them.")
    {
        Photos(),
        Fire(),
        Report(),
    };

    private static Command Photos()
    {
        var command = new Command("photos", "Paints the photos that are sent, where they are missing.") { s_folder };
        command.SetAction(arguments => LargePhotos.PaintMissing(arguments.GetRequiredValue(s_folder).FullName));
        return command;
    }

    private static Command Fire()
    {
        var service = new Option<string>("--service") { Description = "Address of the service.", Required = true };
        var photos = new Option<DirectoryInfo>("--photos") { Description = "Folder of JPEG files to send.", Required = true };
        var requests = new Option<int>("--requests") { Description = "How many.", DefaultValueFactory = _ => 400 };
        var parallel = new Option<int>("--parallel") { Description = "How many at the same time.", DefaultValueFactory = _ => 16 };
        var limit = new Option<int>("--time-limit") { Description = "Seconds until what is not served yet counts as failed.", DefaultValueFactory = _ => 900 };
        var process = new Option<int>("--process") { Description = "Process id of the service, to watch its memory.", Required = true };
        var group = new Option<DirectoryInfo>("--group") { Description = "Folder of the service's memory control group.", Required = true };
        var title = new Option<string>("--title") { Description = "What the run is called in the report.", Required = true };
        var figures = new Option<FileInfo>("--figures") { Description = "File for the figures, as JSON.", Required = true };

        var command = new Command("fire", "Sends photos to a running service, checks what comes back, and watches the service's memory.")
        {
            service, photos, requests, parallel, limit, process, group, title, figures,
        };
        command.SetAction((arguments, cancellation) => FireRun.ExecuteAsync(
            new FireSettings(
                arguments.GetRequiredValue(title),
                new Uri(arguments.GetRequiredValue(service)),
                arguments.GetRequiredValue(photos).FullName,
                arguments.GetValue(requests),
                arguments.GetValue(parallel),
                TimeSpan.FromSeconds(arguments.GetValue(limit)),
                arguments.GetValue(process),
                arguments.GetRequiredValue(group).FullName,
                arguments.GetRequiredValue(figures).FullName),
            cancellation));
        return command;
    }

    private static Command Report()
    {
        var output = new Option<DirectoryInfo>("--output") { Description = "Folder for README.md and memory.svg.", Required = true };
        var typed = new Option<string>("--command") { Description = "What the user typed.", Required = true };
        var command = new Command("report", "Writes the page about the runs whose figures are in a folder. Exit code 1: with a budget a request was not served.") { s_folder, output, typed };
        command.SetAction(arguments => ReportPage.Write(
            RunFigures.LoadAll(arguments.GetRequiredValue(s_folder).FullName),
            arguments.GetRequiredValue(output).FullName,
            arguments.GetRequiredValue(typed)));
        return command;
    }
}
