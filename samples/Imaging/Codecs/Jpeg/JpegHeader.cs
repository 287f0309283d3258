namespace Imaging.Codecs.Jpeg;

/// <summary>What the first bytes of a JPEG file tell about the memory that decoding it takes.</summary>
/// <param name="CoefficientBytes">
/// What a decoder keeps beside the pixels. A file in several scans is complete only after the last one: until then its coefficients, 2 bytes each, are
/// kept. 0 for files in one scan.
/// </param>
public readonly record struct JpegHeader(int Width, int Height, long CoefficientBytes);
