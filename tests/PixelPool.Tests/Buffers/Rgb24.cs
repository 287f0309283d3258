namespace PixelPool.Tests.Buffers;

/// <summary>A pixel of three bytes.</summary>
internal readonly record struct Rgb24(byte R, byte G, byte B);
