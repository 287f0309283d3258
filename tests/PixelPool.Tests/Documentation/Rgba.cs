namespace PixelPool.Tests.Documentation;

#region docs/recipes.md
internal readonly record struct Rgba(byte R, byte G, byte B, byte A);
#endregion
