using Spectre.Console;

namespace LoadResizeSave.Reporting;

/// <summary>A bar that moves, with speed and memory beside it.</summary>
internal sealed class LiveProgressDisplay : IProgressDisplay
{
    public void Show(string title, int steps, Action<IProgress<long>> work) =>
        AnsiConsole.Progress()
            .Columns(
                new TaskDescriptionColumn(),
                new ProgressBarColumn(),
                new StepsColumn(),
                new SpeedColumn(),
                new ResidentMemoryColumn())
            .Start(context => work(new Bar(context.AddTask(title, maxValue: steps))));

    /// <summary>Above the bar, which moves on.</summary>
    public void Say(string text) => AnsiConsole.MarkupLineInterpolated($"[yellow]{text}[/]");

    private sealed class Bar(ProgressTask task) : IProgress<long>
    {
        public void Report(long pixels)
        {
            SpeedColumn.Add(task, pixels);
            task.Increment(1);
        }
    }
}
