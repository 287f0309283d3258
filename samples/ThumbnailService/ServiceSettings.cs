using System.ComponentModel.DataAnnotations;

namespace ThumbnailService;

/// <summary>What can be set on the command line (<c>--Thumbnails:Memory managed</c>), in <c>appsettings.json</c> or in the environment.</summary>
internal sealed class ServiceSettings
{
    public const string Section = "Thumbnails";

    public MemoryMode Memory { get; set; } = MemoryMode.PixelPool;

    /// <summary>Longer side of a thumbnail, in pixels.</summary>
    [Range(1, 65_535)]
    public int ThumbnailSide { get; set; } = 256;

    /// <summary>The largest file that is accepted.</summary>
    [Range(1, int.MaxValue)]
    public int MaxFileBytes { get; set; } = 64 << 20;

    /// <summary>
    /// How far into a file its dimensions are searched. So much of every waiting upload is in memory, beside the budget; the rest waits in the sender. The
    /// server wants 32 KiB at least, for the headers of a request.
    /// </summary>
    [Range(32 << 10, int.MaxValue)]
    public int MaxHeaderBytes { get; set; } = 256 << 10;

    /// <summary>
    /// How fast the body of a photo must come, in bytes per second, after the first 30 seconds and on average. Others wait for the memory that is reserved for it
    /// meanwhile: a file as large as <see cref="MaxFileBytes"/> has 67 seconds.
    /// </summary>
    [Range(1, int.MaxValue)]
    public int MinBytesPerSecond { get; set; } = 1_000_000;

    /// <summary>Connections at the same time, at each address; with <see cref="MaxHeaderBytes"/> it bounds what uploads that wait may hold.</summary>
    [Range(1, int.MaxValue)]
    public int MaxConnections { get; set; } = 64;

    /// <summary>The port, one of <c>--urls</c>, at which alone operators are answered: the page, <c>/memory</c>, <c>/metrics</c> and <c>/health</c>. Null: any port.</summary>
    [Range(1, 65_535)]
    public int? OperatorPort { get; set; }
}
