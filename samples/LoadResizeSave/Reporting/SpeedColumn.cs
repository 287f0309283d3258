using Spectre.Console;
using Spectre.Console.Rendering;

namespace LoadResizeSave.Reporting;

/// <summary>Megapixels a second since the task began.</summary>
internal sealed class SpeedColumn : ProgressColumn
{
    private const string Pixels = "pixels";

    /// <summary>Wide enough that the columns beside it stand still.</summary>
    private const int Width = 8;

    public static void Add(ProgressTask task, long pixels) => task.State.Update<long>(Pixels, sum => sum + pixels);

    public override int? GetColumnWidth(RenderOptions options) => Width;

    public override IRenderable Render(RenderOptions options, ProgressTask task, TimeSpan deltaTime)
    {
        double seconds = task.ElapsedTime?.TotalSeconds ?? 0;
        double speed = seconds > 0 ? task.State.Get<long>(Pixels) / 1e6 / seconds : 0;
        return new Text($"{speed:0} MP/s", Color.Aqua).RightJustified();
    }
}
