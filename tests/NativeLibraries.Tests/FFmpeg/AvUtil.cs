using System.Runtime.InteropServices;
using Imaging.Codecs;

namespace NativeLibraries.Tests.FFmpeg;

/// <summary>The part of FFmpeg's libavutil that holds frames, from version 57 on: before, sizes were of another type.</summary>
internal static partial class AvUtil
{
    /// <summary>AV_PIX_FMT_YUV420P.</summary>
    public const int FormatYuv420 = 0;

    /// <summary>AV_NUM_DATA_POINTERS: how many planes and buffers a frame has room for.</summary>
    public const int MostPlanes = 8;

    private const string Name = "avutil";

    public static CodecLibrary Library { get; } = new(
        Name,
        "libavutil",
        "libavutil57 on Debian 12, libavutil58 on Ubuntu 24.04, ffmpeg in Homebrew",
        ["libavutil.so.57", "libavutil.so.58", "libavutil.so.59", "libavutil.so.60", "avutil-59.dll", "libavutil.dylib"]);

    [LibraryImport(Name, EntryPoint = "av_buffer_create")]
    public static partial nint CreateBuffer(nint data, nuint bytes, nint free, nint opaque, int flags);

    [LibraryImport(Name, EntryPoint = "av_buffer_ref")]
    public static partial nint RefBuffer(nint buffer);

    [LibraryImport(Name, EntryPoint = "av_buffer_unref")]
    public static partial void UnrefBuffer(ref nint buffer);

    [LibraryImport(Name, EntryPoint = "av_buffer_get_ref_count")]
    public static partial int CountReferences(nint buffer);

    [LibraryImport(Name, EntryPoint = "av_frame_alloc")]
    public static partial nint AllocateFrame();

    [LibraryImport(Name, EntryPoint = "av_frame_get_buffer")]
    public static partial int AllocatePlanes(nint frame, int align);

    [LibraryImport(Name, EntryPoint = "av_frame_get_plane_buffer")]
    public static partial nint GetPlaneBuffer(nint frame, int plane);

    [LibraryImport(Name, EntryPoint = "av_frame_clone")]
    public static partial nint CloneFrame(nint frame);

    [LibraryImport(Name, EntryPoint = "av_frame_copy")]
    public static partial int CopyFrame(nint to, nint from);

    [LibraryImport(Name, EntryPoint = "av_frame_make_writable")]
    public static partial int MakeWritable(nint frame);

    [LibraryImport(Name, EntryPoint = "av_frame_free")]
    public static partial void FreeFrame(ref nint frame);

    /// <summary>Larger allocations of the library fail. For all threads of the process.</summary>
    [LibraryImport(Name, EntryPoint = "av_max_alloc")]
    public static partial void LimitAllocations(nuint bytes);
}
