using ThumbnailService;

await ThumbnailApp.Create(args).RunAsync();
