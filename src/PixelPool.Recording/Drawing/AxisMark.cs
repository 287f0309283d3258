namespace PixelPool.Diagnostics.Drawing;

/// <summary>A mark of an <see cref="Axis"/>: where it is, and what stands there.</summary>
internal readonly record struct AxisMark(double Position, string Label);
