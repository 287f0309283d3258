using Imaging.Codecs;

namespace Imaging.Thumbnails;

/// <summary>What thumbnails are made.</summary>
/// <param name="Folder">Gets the files. It exists.</param>
/// <param name="Format">What they are written as.</param>
/// <param name="Size">The longer side of a thumbnail, in pixels.</param>
/// <param name="LeakEvery">Every so many photos one is not disposed; 0: all are.</param>
public sealed record ThumbnailSettings(string Folder, IImageCodec Format, int Size, int LeakEvery = 0);
