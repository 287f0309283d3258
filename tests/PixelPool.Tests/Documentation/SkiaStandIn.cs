namespace PixelPool.Tests.Documentation;

/// <summary>
/// Stands for the decoder of SkiaSharp in <c>docs/recipes.md</c>, with the same names: it needs a native library. A file is a width, a height, the value of all pixels,
/// and how it ends.
/// </summary>
internal static unsafe class SkiaStandIn
{
    public const byte Truncated = 1;
    public const byte Broken = 2;

    public enum SKCodecResult
    {
        Success,
        IncompleteInput,
        ErrorInInput,
    }

    public enum SKColorType
    {
        Bgra8888,
        Rgba8888,
    }

    public readonly record struct SKCodecOptions
    {
        public static SKCodecOptions Default => default;
    }

    public readonly record struct SKImageInfo(int Width, int Height, SKColorType ColorType)
    {
        public SKImageInfo WithColorType(SKColorType colorType) => this with { ColorType = colorType };
    }

    public sealed class SKCodec : IDisposable
    {
        private readonly Stream _file;
        private readonly int _value;
        private readonly int _end;

        private SKCodec(Stream file)
        {
            _file = file;
            Info = new SKImageInfo(file.ReadByte(), file.ReadByte(), SKColorType.Bgra8888);
            _value = file.ReadByte();
            _end = file.ReadByte();
        }

        public SKImageInfo Info { get; }

        public static SKCodec? Create(Stream file) => file.Length == 0 ? null : new SKCodec(file);

        public void Dispose() => _file.Dispose();

        public SKCodecResult GetPixels(SKImageInfo info, nint pixels, int rowBytes, SKCodecOptions options)
        {
            Assert.Equal((Info.WithColorType(SKColorType.Rgba8888), SKCodecOptions.Default), (info, options));
            for (int y = 0; y < (_end == Truncated ? 1 : info.Height); y++)
            {
                new Span<uint>((void*)(pixels + ((nint)y * rowBytes)), info.Width).Fill((uint)_value);
            }

            return _end switch { Truncated => SKCodecResult.IncompleteInput, Broken => SKCodecResult.ErrorInInput, _ => SKCodecResult.Success };
        }
    }
}
