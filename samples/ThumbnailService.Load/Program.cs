using ThumbnailService.Load.CommandLine;

return await LoadCommand.Create().Parse(args).InvokeAsync();
