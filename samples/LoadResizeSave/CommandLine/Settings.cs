using Imaging.Codecs;
using Imaging.Memory;
using Imaging.Thumbnails;

namespace LoadResizeSave.CommandLine;

/// <summary>What the command line asked for, checked and complete.</summary>
internal sealed record Settings
{
    /// <summary><see langword="null"/>: the test photos.</summary>
    public required string? Input { get; init; }

    public required string Output { get; init; }

    public ThumbnailSettings Thumbnails => new(Output, Format, Size, LeakEvery);

    public string ChartPath => Path.Combine(Output, "memory.svg");

    public required AllocatorKind Allocator { get; init; }

    public required IImageCodec Format { get; init; }

    /// <summary>The longer side of a thumbnail, in pixels.</summary>
    public required int Size { get; init; }

    public required int Parallelism { get; init; }

    public required int Repetitions { get; init; }

    /// <summary>Every so many photos one is not disposed; 0: all are.</summary>
    public required int LeakEvery { get; init; }

    /// <summary>Whether to wait until the pool has given everything back by itself.</summary>
    public required bool WatchIdle { get; init; }

    /// <summary>The file that gets the figures of the run for other programs; <see langword="null"/>: none.</summary>
    public string? Figures { get; init; }
}
