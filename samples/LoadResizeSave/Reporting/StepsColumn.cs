using Spectre.Console;
using Spectre.Console.Rendering;

namespace LoadResizeSave.Reporting;

/// <summary>How many of how many.</summary>
internal sealed class StepsColumn : ProgressColumn
{
    public override IRenderable Render(RenderOptions options, ProgressTask task, TimeSpan deltaTime) =>
        new Text($"{task.Value:0}/{task.MaxValue:0}");
}
