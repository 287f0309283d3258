using System.Runtime.InteropServices;
using Imaging.Codecs;

namespace NativeLibraries.Tests.GStreamer;

/// <summary>The part of GStreamer's core that holds the memory of frames.</summary>
internal static partial class Gst
{
    /// <summary>GST_MAP_READ.</summary>
    public const int MapRead = 1;

    /// <summary>GST_MAP_READ | GST_MAP_WRITE.</summary>
    public const int MapReadWrite = 3;

    private const string Name = "gstreamer";

    public static CodecLibrary Library { get; } = new(
        Name, "GStreamer", "libgstreamer1.0-0 on Debian and Ubuntu, gstreamer in Homebrew", "libgstreamer-1.0.so.0", "gstreamer-1.0-0.dll", "libgstreamer-1.0.0.dylib");

    [LibraryImport(Name, EntryPoint = "gst_init")]
    public static partial void Init(nint argumentCount, nint arguments);

    [LibraryImport(Name, EntryPoint = "gst_buffer_new_wrapped_full")]
    public static partial nint WrapFull(int flags, nint data, nuint maxBytes, nuint offset, nuint bytes, nint userData, nint notify);

    [LibraryImport(Name, EntryPoint = "gst_buffer_new_allocate")]
    public static partial nint NewBuffer(nint allocator, nuint bytes, nint parameters);

    /// <summary>gst_buffer_copy_region: a buffer that shares a part of the memory.</summary>
    [LibraryImport(Name, EntryPoint = "gst_buffer_copy_region")]
    public static partial nint CopyRegion(nint buffer, int flags, nuint offset, nuint bytes);

    [LibraryImport(Name, EntryPoint = "gst_buffer_map")]
    public static partial int Map(nint buffer, out GstMapInfo info, int flags);

    [LibraryImport(Name, EntryPoint = "gst_buffer_unmap")]
    public static partial void Unmap(nint buffer, ref GstMapInfo info);

    /// <summary>What gst_buffer_ref does.</summary>
    [LibraryImport(Name, EntryPoint = "gst_mini_object_ref")]
    public static partial nint Ref(nint miniObject);

    /// <summary>What gst_buffer_unref does.</summary>
    [LibraryImport(Name, EntryPoint = "gst_mini_object_unref")]
    public static partial void Unref(nint miniObject);
}
