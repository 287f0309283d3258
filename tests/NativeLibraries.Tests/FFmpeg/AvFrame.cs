namespace NativeLibraries.Tests.FFmpeg;

/// <summary>An AVFrame. Whoever disposes it gives its references on buffers up; other frames may have more of them.</summary>
internal sealed unsafe class AvFrame : IDisposable
{
    // data, linesize and extended_data come first in all versions.
    private static readonly int s_widthOffset = ((AvUtil.MostPlanes + 1) * sizeof(nint)) + (AvUtil.MostPlanes * sizeof(int));
    private static readonly int s_buffersOffset = FindBuffers();

    private nint _frame;

    private AvFrame(nint frame)
    {
        Assert.NotEqual(0, frame);
        _frame = frame;
    }

    public AvFrame(int width, int height)
        : this(AvUtil.AllocateFrame()) => SetSize(_frame, width, height);

    /// <summary><c>data</c>: the address of row 0 of each plane.</summary>
    public Span<nint> Data => new((void*)_frame, AvUtil.MostPlanes);

    /// <summary><c>linesize</c>: the stride of each plane, in bytes.</summary>
    public Span<int> LineSizes => new((void*)(_frame + (AvUtil.MostPlanes * sizeof(nint))), AvUtil.MostPlanes);

    /// <summary><c>buf</c>: a reference (AVBufferRef) on each piece of memory in which planes lie.</summary>
    public Span<nint> Buffers => new((void*)(_frame + s_buffersOffset), AvUtil.MostPlanes);

    public int Width => ((int*)(_frame + s_widthOffset))[0];

    public int Height => ((int*)(_frame + s_widthOffset))[1];

    /// <summary>A frame of FFmpeg's own memory.</summary>
    public static AvFrame Allocate(int width, int height)
    {
        var frame = new AvFrame(width, height);
        Assert.Equal(0, AvUtil.AllocatePlanes(frame._frame, align: 64));
        return frame;
    }

    /// <summary>Another frame with the same planes, and with references of its own on their buffers.</summary>
    public AvFrame Clone() => new(AvUtil.CloneFrame(_frame));

    /// <summary>FFmpeg copies the planes of another frame into this one.</summary>
    public void CopyFrom(AvFrame other) => Assert.True(AvUtil.CopyFrame(_frame, other._frame) >= 0);

    /// <summary>A frame that shares its buffers gets copies of them.</summary>
    public void MakeWritable() => Assert.Equal(0, AvUtil.MakeWritable(_frame));

    /// <summary>A new reference on the buffer in which a plane lies.</summary>
    public nint RefPlane(int plane) => AvUtil.RefBuffer(AvUtil.GetPlaneBuffer(_frame, plane));

    public ReadOnlySpan<byte> Row(int plane, int y, int width) => new((void*)(Data[plane] + ((nint)y * LineSizes[plane])), width);

    public void Dispose() => AvUtil.FreeFrame(ref _frame);

    private static void SetSize(nint frame, int width, int height)
    {
        // width, height, nb_samples, format
        int* fields = (int*)(frame + s_widthOffset);
        fields[0] = width;
        fields[1] = height;
        fields[3] = AvUtil.FormatYuv420;
    }

    // Versions differ in what lies before "buf". A frame that has one buffer tells where it is.
    private static int FindBuffers()
    {
        nint frame = AvUtil.AllocateFrame();
        SetSize(frame, 16, 16);
        Assert.Equal(0, AvUtil.AllocatePlanes(frame, align: 0));
        nint buffer = AvUtil.GetPlaneBuffer(frame, 0);
        int offset = s_widthOffset;
        while (*(nint*)(frame + offset) != buffer)
        {
            offset += sizeof(nint);
        }

        AvUtil.FreeFrame(ref frame);
        return offset;
    }
}
