using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Misuse.Edges;

/// <summary>Every way to name a pixel by its place. Each reads it, and writes it if it can.</summary>
internal static class EdgeMembers
{
    private const uint Written = 0xFFFF_FFFF;

    /// <summary>Columns and rows. Named by the public member, and by how it is reached.</summary>
    public static readonly Dictionary<string, Action<PixelBuffer<uint>, int, int>> Pixels = new()
    {
        ["PixelBuffer.get_Item"] = static (image, x, y) => _ = image[x, y],
        ["PixelBuffer.set_Item"] = static (image, x, y) => image[x, y] = Written,
        ["PixelBuffer.View"] = static (image, x, y) => image.View(x, y, 1, 1).Dispose(),
        ["PixelBuffer.View, read-only"] = static (image, x, y) => image.AsReadOnly().View(x, y, 1, 1).Dispose(),
        ["PixelBuffer.get_Item of a cast"] = static (image, x, y) =>
        {
            using PixelBuffer<int> cast = image.Cast<int>();
            cast[x, y] = -1;
        },
        ["PixelLease.get_Item"] = static (image, x, y) => _ = image.AsLease()[x, y],
        ["PixelLease.set_Item"] = static (image, x, y) =>
        {
            PixelLease<uint> lease = image.AsLease();
            lease[x, y] = Written;
        },
        ["PixelLease.View"] = static (image, x, y) => image.AsLease().View(x, y, 1, 1).Fill(Written),
        ["ReadOnlyPixelBuffer.get_Item"] = static (image, x, y) => _ = image.AsReadOnly()[x, y],
        ["ReadOnlyPixelBuffer.View"] = static (image, x, y) => image.AsReadOnly().View(x, y, 1, 1).Dispose(),
        ["PixelAccessor.get_Item"] = static (image, x, y) => image.ProcessPixelRows(rows => rows[x, y] = Written),
        ["PixelAccessor.get_Item of a lease"] = static (image, x, y) => image.AsLease().ProcessPixelRows(rows => rows[x, y] = Written),
        ["PixelAccessor.get_Item of the second"] = static (image, x, y) => image.ProcessPixelRows(image, (_, rows) => rows[x, y] = Written),
        ["PixelAccessor.get_Item of the third"] = static (image, x, y) => image.ProcessPixelRows(image, image, (_, _, rows) => rows[x, y] = Written),
        ["PixelAccessor.get_Item of a list"] = static (image, x, y) => image.ProcessPixelRows<uint>([image, image], (_, all) => all[1][x, y] = Written),
        ["PixelAccessor.get_Item of a filter"] = static (image, x, y) =>
        {
            using PixelBuffer<uint> source = image.Clone();
            image.FilterPixelRows(source, (rows, _) => rows[x, y] = Written);
        },
        ["ReadOnlyPixelAccessor.get_Item"] = static (image, x, y) => image.AsReadOnly().ProcessPixelRows(rows => _ = rows[x, y]),
        ["ReadOnlyPixelAccessor.get_Item of a filter"] = static (image, x, y) =>
        {
            using PixelBuffer<uint> target = image.Clone();
            target.FilterPixelRows(image, (_, rows) => GC.KeepAlive(rows[x, y]));
        },
        ["ReadOnlyPixelAccessor.get_Item of a parallel filter"] = static (image, x, y) => Single(() =>
        {
            using PixelBuffer<uint> target = image.Clone();
            target.FilterPixelRowsInParallel(image, (_, rows) => GC.KeepAlive(rows[x, y]), maxDegreeOfParallelism: 1);
        }),
    };

    /// <summary>Rows.</summary>
    public static readonly Dictionary<string, Action<PixelBuffer<uint>, int>> Rows = new()
    {
        ["PixelBuffer.DangerousGetRowSpan"] = static (image, y) => image.DangerousGetRowSpan(y).Fill(Written),
        ["PixelBuffer.DangerousGetRowMemory"] = static (image, y) => image.DangerousGetRowMemory(y).Span.Fill(Written),
        ["PixelAccessor.GetRowSpan"] = static (image, y) => image.ProcessPixelRows(rows => rows.GetRowSpan(y).Fill(Written)),
        ["PixelAccessor.GetRowSpan of a lease"] = static (image, y) => image.AsLease().ProcessPixelRows(rows => rows.GetRowSpan(y).Fill(Written)),
        ["PixelAccessor.GetRowSpan of a cast"] = static (image, y) =>
        {
            using PixelBuffer<byte> cast = image.Cast<byte>();
            cast.ProcessPixelRows(rows => rows.GetRowSpan(y).Fill(0xFF));
        },
        ["ReadOnlyPixelAccessor.GetRowSpan"] = static (image, y) => image.AsReadOnly().ProcessPixelRows(rows => _ = rows.GetRowSpan(y).Length),
        ["View of rows"] = static (image, y) => image.View(0, y, image.Width, 1).Dispose(),
    };

    /// <summary>The span of a row, at a column.</summary>
    public static readonly Dictionary<string, Action<PixelBuffer<uint>, int>> Columns = new()
    {
        ["DangerousGetRowSpan"] = static (image, x) => image.DangerousGetRowSpan(image.Height - 1)[x] = Written,
        ["DangerousGetRowMemory"] = static (image, x) => image.DangerousGetRowMemory(0).Span[x] = Written,
        ["GetRowSpan"] = static (image, x) => image.ProcessPixelRows(rows => rows.GetRowSpan(rows.Height - 1)[x] = Written),
        ["GetRowSpan, clamped"] = static (image, x) => image.AsReadOnly().ProcessPixelRows(rows => _ = rows.GetRowSpanClamped(int.MaxValue)[x]),
        ["foreach"] = static (image, x) => image.ProcessPixelRows(rows =>
        {
            foreach (Span<uint> row in rows)
            {
                row[x] = Written;
            }
        }),
    };

    /// <summary>Everything that writes all pixels.</summary>
    public static readonly Dictionary<string, Action<PixelBuffer<uint>>> Writers = new()
    {
        ["Fill"] = static image => image.Fill(Written),
        ["Fill of a lease"] = static image => image.AsLease().Fill(Written),
        ["CopyFrom pixels"] = static image => image.CopyFrom(Full(image, image.Width)),
        ["CopyFrom pixels with a stride"] = static image => image.CopyFrom(Full(image, image.Width + 5), image.Width + 5),
        ["CopyFrom bytes with a stride"] = static image => image.CopyFrom(Bytes(image, 9), (image.Width * 4) + 9),
        ["CopyFrom an image"] = static image =>
        {
            using PixelBuffer<uint> copy = image.Clone();
            copy.Fill(Written);
            image.CopyFrom(copy);
        },
        ["ReadFrom"] = static image => image.ReadFrom(new MemoryStream(Bytes(image, 100))),
        ["ReadFromAsync"] = static image => image.ReadFromAsync(new MemoryStream(Bytes(image, 100))).AsTask().GetAwaiter().GetResult(),
        ["stream"] = static image =>
        {
            using Stream stream = image.AsStream();
            stream.Write(Bytes(image, 0));
        },
        ["stream, byte by byte"] = static image =>
        {
            using Stream stream = image.AsStream();
            while (stream.Position < stream.Length)
            {
                stream.WriteByte(0xFF);
            }
        },
        ["rows in parallel"] = static image => image.ProcessPixelRowsInParallel(static rows =>
        {
            foreach (Span<uint> row in rows)
            {
                row.Fill(Written);
            }
        }),
        ["rows as memory"] = static image =>
        {
            for (int y = 0; y < image.Height; y++)
            {
                image.DangerousGetRowMemory(y).Span.Fill(Written);
            }
        },
        ["bytes of a cast"] = static image =>
        {
            using PixelBuffer<byte> cast = image.Cast<byte>();
            PixelPattern.Fill(cast, 0xFF);
        },
        ["subsampled rows"] = static image =>
        {
            using PixelBuffer<uint> plane = image.AsSubsampledPlane(1);
            plane.Fill(Written);
        },
    };

    /// <summary>As many pixels of one value.</summary>
    public static uint[] Full(PixelBuffer<uint> image, int stride)
    {
        uint[] pixels = new uint[stride * image.Height];
        pixels.AsSpan().Fill(Written);
        return pixels;
    }

    public static byte[] Bytes(PixelBuffer<uint> image, int gapBytes)
    {
        byte[] bytes = new byte[((image.Width * sizeof(uint)) + gapBytes) * image.Height];
        bytes.AsSpan().Fill(0xFF);
        return bytes;
    }

    // What one band throws comes in company.
    private static void Single(Action parallel)
    {
        try
        {
            parallel();
        }
        catch (AggregateException several)
        {
            throw several.InnerExceptions[0];
        }
    }
}
