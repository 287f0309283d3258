using System.Runtime.InteropServices;

namespace NativeLibraries.Tests.LibVips;

/// <summary>A reference on an image of libvips.</summary>
internal sealed class VipsImage(nint image) : IDisposable
{
    private readonly nint _image = image != 0 ? image : throw new InvalidOperationException(Marshal.PtrToStringUTF8(Vips.ErrorText()));

    /// <summary>Where its pixels lie.</summary>
    public nint Data => Vips.GetData(_image);

    /// <summary>An image of memory that stays where it is: nothing is copied.</summary>
    public static VipsImage Of(NativePixels pixels, int bands) =>
        new(Vips.NewFromMemory(pixels.Address, (nuint)pixels.Stride * (nuint)pixels.Height, pixels.Width, pixels.Height, bands, Vips.FormatByte));

    /// <summary>When the image ends, the handler is called with it and the data, and then the other one with the data.</summary>
    public void OnPostClose(nint handler, nint data, nint destroyData = 0) =>
        Assert.NotEqual(0u, Vips.Connect(_image, "postclose", handler, data, destroyData, flags: 0));

    /// <summary>The average of all samples.</summary>
    public double Average()
    {
        nint operation = Run("avg");
        var average = default(GValue);
        Vips.InitValue(ref average, GValue.Double);
        Vips.GetProperty(operation, "out", ref average);
        Vips.Unref(operation);
        return Vips.GetDouble(ref average);
    }

    /// <summary>255 minus every sample. The image that is returned computes it when it is asked, and so holds this one.</summary>
    public VipsImage Invert()
    {
        nint operation = Run("invert");
        var inverted = default(GValue);
        Vips.InitValue(ref inverted, Vips.ImageType());
        Vips.GetProperty(operation, "out", ref inverted);
        nint image = Vips.GetObject(ref inverted);
        Vips.Unref(operation);

        // The reference of the value goes with it; that of the operation is the one that is kept.
        Vips.UnsetValue(ref inverted);
        return new VipsImage(image);
    }

    public void Dispose() => Vips.Unref(_image);

    private nint Run(string name)
    {
        nint operation = Vips.NewOperation(name);
        var input = default(GValue);
        Vips.InitValue(ref input, Vips.ImageType());
        Vips.SetObject(ref input, _image);
        Vips.SetProperty(operation, "in", ref input);
        Vips.UnsetValue(ref input);
        nint built = Vips.Build(operation);
        Assert.True(built != 0, Marshal.PtrToStringUTF8(Vips.ErrorText()));
        Vips.Unref(operation);
        return built;
    }
}
