using System.Runtime.InteropServices;
using Imaging.Codecs;

namespace NativeLibraries.Tests.LibVips;

/// <summary>The part of libvips, and of GLib below it, that is used here. Only functions with a fixed number of arguments: the others cannot be imported everywhere.</summary>
internal static partial class Vips
{
    /// <summary>VIPS_FORMAT_UCHAR.</summary>
    public const int FormatByte = 0;

    private const string VipsName = "vips";
    private const string ObjectName = "gobject";
    private const string GLibName = "glib";

    public static CodecLibrary Library { get; } = new(
        VipsName, "libvips", "libvips42 on Debian, libvips42t64 on Ubuntu, vips in Homebrew", "libvips.so.42", "libvips-42.dll", "libvips.42.dylib");

    public static CodecLibrary Objects { get; } = new(
        ObjectName, "GObject", "those of libvips", "libgobject-2.0.so.0", "libgobject-2.0-0.dll", "libgobject-2.0.0.dylib");

    public static CodecLibrary GLib { get; } = new(
        GLibName, "GLib", "those of libvips", "libglib-2.0.so.0", "libglib-2.0-0.dll", "libglib-2.0.0.dylib");

    [LibraryImport(VipsName, EntryPoint = "vips_init", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Init(string program);

    /// <summary>Results are not kept: they would hold their inputs.</summary>
    [LibraryImport(VipsName, EntryPoint = "vips_cache_set_max")]
    public static partial void SetCacheSize(int operations);

    [LibraryImport(VipsName, EntryPoint = "vips_image_new_from_memory")]
    public static partial nint NewFromMemory(nint data, nuint bytes, int width, int height, int bands, int format);

    [LibraryImport(VipsName, EntryPoint = "vips_image_get_data")]
    public static partial nint GetData(nint image);

    [LibraryImport(VipsName, EntryPoint = "vips_operation_new", StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint NewOperation(string name);

    [LibraryImport(VipsName, EntryPoint = "vips_cache_operation_build")]
    public static partial nint Build(nint operation);

    [LibraryImport(VipsName, EntryPoint = "vips_image_get_type")]
    public static partial nuint ImageType();

    [LibraryImport(VipsName, EntryPoint = "vips_error_buffer")]
    public static partial nint ErrorText();

    [LibraryImport(ObjectName, EntryPoint = "g_value_init")]
    public static partial nint InitValue(ref GValue value, nuint type);

    [LibraryImport(ObjectName, EntryPoint = "g_value_set_object")]
    public static partial void SetObject(ref GValue value, nint held);

    [LibraryImport(ObjectName, EntryPoint = "g_value_get_double")]
    public static partial double GetDouble(ref GValue value);

    [LibraryImport(ObjectName, EntryPoint = "g_value_get_object")]
    public static partial nint GetObject(ref GValue value);

    [LibraryImport(ObjectName, EntryPoint = "g_value_unset")]
    public static partial void UnsetValue(ref GValue value);

    [LibraryImport(ObjectName, EntryPoint = "g_object_set_property", StringMarshalling = StringMarshalling.Utf8)]
    public static partial void SetProperty(nint target, string name, ref GValue value);

    [LibraryImport(ObjectName, EntryPoint = "g_object_get_property", StringMarshalling = StringMarshalling.Utf8)]
    public static partial void GetProperty(nint target, string name, ref GValue value);

    [LibraryImport(ObjectName, EntryPoint = "g_signal_connect_data", StringMarshalling = StringMarshalling.Utf8)]
    public static partial nuint Connect(nint target, string signal, nint handler, nint data, nint destroyData, int flags);

    [LibraryImport(ObjectName, EntryPoint = "g_object_unref")]
    public static partial void Unref(nint target);

    [LibraryImport(GLibName, EntryPoint = "g_bytes_new_with_free_func")]
    public static partial nint NewBytes(nint data, nuint bytes, nint free, nint context);

    [LibraryImport(GLibName, EntryPoint = "g_bytes_unref")]
    public static partial void UnrefBytes(nint bytes);

    [LibraryImport(GLibName, EntryPoint = "g_bytes_hash")]
    public static partial uint HashBytes(nint bytes);
}
