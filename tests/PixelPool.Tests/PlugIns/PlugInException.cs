namespace PixelPool.Tests.PlugIns;

/// <summary>What a handler of the plug-in throws.</summary>
public sealed class PlugInException() : Exception("thrown by a plug-in");
