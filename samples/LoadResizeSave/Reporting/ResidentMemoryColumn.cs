using PixelPool.Measuring;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace LoadResizeSave.Reporting;

/// <summary>The memory of the process at this moment.</summary>
internal sealed class ResidentMemoryColumn : ProgressColumn
{
    private const int Width = 18;

    public override int? GetColumnWidth(RenderOptions options) => Width;

    public override IRenderable Render(RenderOptions options, ProgressTask task, TimeSpan deltaTime) =>
        new Text($"{ByteSize.Text(ResidentMemory.Current())} resident", Color.Yellow).RightJustified();
}
