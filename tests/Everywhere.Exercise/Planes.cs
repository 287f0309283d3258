namespace Everywhere.Exercise;

/// <summary>Images of several planes.</summary>
internal static class Planes
{
    public static void HaveTheirLayouts()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        foreach (PlanarLayout layout in new[]
        {
            PlanarLayout.Yuv420(1921, 1081, 64), PlanarLayout.Yuv422(640, 480), PlanarLayout.Yuv444(640, 480, 1, 2), PlanarLayout.Nv12(640, 480), PlanarLayout.P010(640, 480),
            PlanarLayout.P016(640, 480),
        })
        {
            using PlanarImage image = allocator.RentPlanar(layout);
            Checks.Equal((layout.Width, layout.Height, layout.Planes.Count, layout), (image.Width, image.Height, image.Planes.Count, image.Layout));
            Checks.True(layout.RowAlignmentBytes >= 1 && layout.SampleBytes >= 1 && layout.Bytes <= allocator.GetHeldBytes(layout), layout.ToString());
            byte mark = 0;
            foreach (PixelBuffer<byte> plane in image.Planes)
            {
                plane.Fill(++mark);
            }

            using PinnedPixels pin = image.Pin();
            for (int i = 0; i < image.Planes.Count; i++)
            {
                PlaneLayout plane = layout.Planes[i];
                Checks.Equal((plane.Width, plane.Height, plane.Stride), (image.Planes[i].Width, image.Planes[i].Height, image.Planes[i].Stride));
                Checks.True(plane.Bytes >= (long)plane.Width * plane.Height, plane.ToString());
                Checks.Equal((byte)(i + 1), Last(pin, plane));
            }
        }

        Checks.NothingIsLeft(allocator);
    }

    public static void AreRentedInEveryWay()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        PlanarLayout layout = PlanarLayout.Nv12(640, 480);
        using (PlanarImage image = allocator.RentPlanarAsync(layout).AsTask().GetAwaiter().GetResult())
        using (PlanarImage clone = image.Clone())
        using (var bytes = new MemoryStream())
        {
            image.Planes[1].Fill(3);
            image.WriteTo(bytes);
            bytes.Position = 0;
            clone.ReadFrom(bytes);
            Checks.Equal((3, layout.Bytes), (clone.Planes[1][639, 239], bytes.Length));
            bytes.Position = 0;
            image.WriteToAsync(bytes).AsTask().GetAwaiter().GetResult();
            bytes.Position = 0;
            clone.ReadFromAsync(bytes).AsTask().GetAwaiter().GetResult();
            Checks.Equal(false, clone.IsDisposed);
        }

        Checks.Equal(true, allocator.TryRentPlanar(layout, out PlanarImage? tried));
        tried!.Dispose();
        Checks.Equal(true, allocator.TryLeasePlanar(layout, out PlanarLease lease));
        Checks.Equal((640, 480, layout, false), (lease.Width, lease.Height, lease.Layout, lease.IsDisposed));
        Checks.True(lease.DangerousGetAddress() == lease.GetPlane(0).DangerousGetAddress(), "the first plane is somewhere else");
        lease.Dispose();
        allocator.LeasePlanar(layout).Dispose();
        allocator.LeasePlanarAsync(layout).AsTask().GetAwaiter().GetResult().Dispose();
        using (var scope = new RentScope(allocator))
        {
            scope.RentPlanar(layout).Planes[0].Fill(1);
            Checks.Equal(true, scope.TryRentPlanar(layout, out _));
            scope.RentPlanarAsync(layout).AsTask().GetAwaiter().GetResult().Planes[0].Fill(1);
            scope.LeasePlanar(layout).GetPlane(0).Fill(1);
            Checks.Equal(true, scope.TryLeasePlanar(layout, out _));
            scope.LeasePlanarAsync(layout).AsTask().GetAwaiter().GetResult().GetPlane(0).Fill(1);
        }

        Checks.NothingIsLeft(allocator);
    }

    private static unsafe byte Last(PinnedPixels pin, PlaneLayout plane) => ((byte*)pin.Pointer)[plane.Offset + ((long)(plane.Height - 1) * plane.Stride) + plane.Width - 1];
}
