using ImageSharp.Tests.Infrastructure;
using SixLabors.ImageSharp;
using SixLabors.ImageSharp.PixelFormats;

namespace ImageSharp.Tests.Documentation;

/// <summary>The snippet of <c>docs/recipes.md</c> about ImageSharp, compiled and run.</summary>
public sealed class RecipeTests
{
    [Fact]
    public void A_decoded_file()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using var file = new MemoryStream(Pictures.Encode<Rgba32>("png", 130, 70));

        #region docs/recipes.md
        using Image<Rgba32> decoded = Image.Load<Rgba32>(file);
        using PixelBuffer<Rgba32> photo = allocator.Rent<Rgba32>(decoded.Width, decoded.Height);
        decoded.ProcessPixelRows(rows =>
        {
            for (int y = 0; y < rows.Height; y++)
            {
                rows.GetRowSpan(y).CopyTo(photo.DangerousGetRowSpan(y));
            }
        });
        #endregion

        Assert.Equal((130, 70, decoded[129, 69]), (photo.Width, photo.Height, photo[129, 69]));
        Assert.Equal(decoded[0, 33], photo[0, 33]);
    }
}
