namespace PixelPool.Tests.PlugIns;

/// <summary>A pixel type of the plug-in.</summary>
public readonly record struct PlugInPixel(byte R, byte G, byte B);
