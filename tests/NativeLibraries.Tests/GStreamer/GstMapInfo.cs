namespace NativeLibraries.Tests.GStreamer;

/// <summary>Where a buffer lies in memory while it is mapped.</summary>
internal struct GstMapInfo
{
#pragma warning disable CS0169, IDE0044, IDE0051 // only the place of the others matters, and their size
    private nint _memory;
    private int _flags;
    public nint Data;
    public nuint Bytes;
    private nuint _maxBytes;
    private nint _userData0;
    private nint _userData1;
    private nint _userData2;
    private nint _userData3;
    private nint _reserved0;
    private nint _reserved1;
    private nint _reserved2;
    private nint _reserved3;
#pragma warning restore CS0169, IDE0044, IDE0051
}
