using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Misuse.Edges;

/// <summary>Planes lie side by side in one rent: none reaches into the next one.</summary>
public sealed class PlaneEdgeTests
{
    public static TheoryData<string> Formats => [.. s_layouts.Keys];

    private static readonly Dictionary<string, PlanarLayout> s_layouts = new()
    {
        ["odd"] = PlanarLayout.Yuv420(33, 17),
        ["aligned"] = PlanarLayout.Yuv422(33, 17, rowAlignmentBytes: 64),
        ["full"] = PlanarLayout.Yuv444(16, 16),
        ["interleaved"] = PlanarLayout.Nv12(33, 17),
        ["wide samples"] = PlanarLayout.P010(33, 17),
    };

    [Theory]
    [MemberData(nameof(Formats))]
    public void A_plane_has_no_samples_of_another_one(string format)
    {
        using var system = new MisusedAllocator();
        using (PlanarImage image = system.Allocator.RentPlanar(s_layouts[format], AllocationOptions.Clean))
        {
            for (int i = 0; i < image.Planes.Count; i++)
            {
                PixelBuffer<byte> plane = image.Planes[i];
                foreach (int y in (int[])[-1, plane.Height, int.MinValue, int.MaxValue, (int)((1L << 32) / plane.Stride)])
                {
                    Assert.Throws<ArgumentOutOfRangeException>("y", () => plane[0, y] = 9);
                    Assert.Throws<ArgumentOutOfRangeException>("y", () => plane.DangerousGetRowSpan(y).Clear());
                }

                foreach (int x in (int[])[-1, plane.Width, plane.Stride, int.MinValue, int.MaxValue])
                {
                    Assert.Throws<ArgumentOutOfRangeException>("x", () => plane[x, plane.Height - 1] = 9);
                }

                foreach ((string _, Action<PixelBuffer<byte>> write) in s_writers)
                {
                    write(plane);
                    for (int other = 0; other < image.Planes.Count; other++)
                    {
                        PixelPattern.AssertEveryByte(image.Planes[other], other == i ? (byte)0xFF : (byte)0);
                    }
                }

                plane.Clear();
            }

            Assert.Throws<ArgumentOutOfRangeException>(() => image.Planes[-1]);
            Assert.Throws<ArgumentOutOfRangeException>(() => image.Planes[image.Planes.Count]);
        }

        system.AssertQuiet();
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void A_lease_has_no_other_planes(string format)
    {
        using var system = new MisusedAllocator();
        using (PlanarLease lease = system.Allocator.LeasePlanar(s_layouts[format]))
        {
            foreach (int index in (int[])[-1, lease.Layout.Planes.Count, int.MinValue, int.MaxValue])
            {
                Assert.Throws<ArgumentOutOfRangeException>("index", () => lease.GetPlane(index));
            }

            PixelLease<byte> plane = lease.GetPlane(1);
            Assert.Throws<ArgumentOutOfRangeException>("y", () => plane[0, plane.Height]);
            Assert.Throws<ArgumentOutOfRangeException>("y", () => plane[0, -1]);
        }

        system.AssertQuiet();
    }

    private static readonly Dictionary<string, Action<PixelBuffer<byte>>> s_writers = new()
    {
        ["fill"] = static plane => plane.Fill(0xFF),
        ["copy"] = static plane => plane.CopyFrom(Enumerable.Repeat((byte)0xFF, plane.Width * plane.Height).ToArray()),
        ["stream"] = static plane => plane.ReadFrom(new MemoryStream(Enumerable.Repeat((byte)0xFF, plane.Width * plane.Height).ToArray())),
        ["rows"] = static plane => PixelPattern.Fill(plane, 0xFF),
    };
}
