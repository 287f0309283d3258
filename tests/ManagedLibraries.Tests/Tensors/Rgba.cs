namespace ManagedLibraries.Tests.Tensors;

/// <summary>The pixel of the recipes.</summary>
internal readonly record struct Rgba(byte R, byte G, byte B, byte A);
