namespace Imaging.Codecs.Jpeg;

/// <summary>One of the colours a file is made of: how many samples it has in each 8 × 8 blocks' worth of the finest one.</summary>
internal readonly record struct JpegComponent(int HorizontalSampling, int VerticalSampling);
