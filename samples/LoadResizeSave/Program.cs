using System.CommandLine;
using LoadResizeSave.CommandLine;
using LoadResizeSave.Running;

using var interruption = new Interruption();
return await ThumbnailCommand.Create(ThumbnailRun.ExecuteAsync)
    .Parse(args)
    .InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = null }, interruption.Token);
