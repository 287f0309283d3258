using LoadResizeSave.CommandLine;
using LoadResizeSave.Pipeline;

return await ThumbnailCommand.Create(ThumbnailRun.ExecuteAsync).Parse(args).InvokeAsync();
