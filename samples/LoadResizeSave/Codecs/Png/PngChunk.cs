namespace LoadResizeSave.Codecs.Png;

/// <summary>One piece of the file, its checksum already verified.</summary>
internal readonly record struct PngChunk(uint Type, ReadOnlyMemory<byte> Data);
