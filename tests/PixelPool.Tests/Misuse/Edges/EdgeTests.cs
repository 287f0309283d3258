using System.Buffers;
using System.Reflection;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Misuse.Edges;

/// <summary>One pixel, row or byte too far, at both ends and by every way: an exception, and never the memory of a neighbour.</summary>
public sealed class EdgeTests
{
    private static readonly Type[] s_types =
    [
        typeof(PixelBuffer<>), typeof(PixelLease<>), typeof(ReadOnlyPixelBuffer<>), typeof(PixelAccessor<>), typeof(ReadOnlyPixelAccessor<>),
    ];

    public static TheoryData<string> Kinds => [.. WalledImage.Kinds];

    [Fact]
    public void Every_member_that_takes_a_place_is_tried()
    {
        string[] tried = [.. EdgeMembers.Pixels.Keys.Concat(EdgeMembers.Rows.Keys).Append("ReadOnlyPixelAccessor.GetRowSpanClamped")];
        foreach (Type type in s_types)
        {
            foreach (MethodInfo method in type.GetMethods(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly))
            {
                if (method.GetParameters().Any(static parameter => parameter.ParameterType == typeof(int) && parameter.Name is "x" or "y" or "row" or "index"))
                {
                    Assert.Contains($"{type.Name.Split('`')[0]}.{method.Name}", tried);
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Pixels_beside_the_image_are_out_of_range(string kind)
    {
        using var walled = new WalledImage(kind);
        PixelBuffer<uint> image = walled.Image;
        foreach ((string member, Action<PixelBuffer<uint>, int, int> use) in EdgeMembers.Pixels)
        {
            foreach (int x in Outside(image.Width, sizeof(uint)))
            {
                AssertRefused(walled, member, "x", () => use(image, x, 0));
                AssertRefused(walled, member, "x", () => use(image, x, image.Height - 1));
            }

            foreach (int y in Outside(image.Height, image.Stride))
            {
                AssertRefused(walled, member, "y", () => use(image, 0, y));
                AssertRefused(walled, member, "y", () => use(image, image.Width - 1, y));
            }

            use(image, 0, 0);
            use(image, image.Width - 1, image.Height - 1);
            image.Fill(0);
        }

        walled.AssertWallsStand();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Rows_beside_the_image_are_out_of_range(string kind)
    {
        using var walled = new WalledImage(kind);
        PixelBuffer<uint> image = walled.Image;
        foreach ((string member, Action<PixelBuffer<uint>, int> use) in EdgeMembers.Rows)
        {
            foreach (int y in Outside(image.Height, image.Stride))
            {
                AssertRefused(walled, member, "y", () => use(image, y));
            }

            use(image, 0);
            use(image, image.Height - 1);
            image.Fill(0);
        }

        foreach ((string member, Action<PixelBuffer<uint>, int> use) in EdgeMembers.Columns)
        {
            foreach (int x in Outside(image.Width, sizeof(uint)))
            {
                Assert.IsType<IndexOutOfRangeException>(Record.Exception(() => use(image, x)));
            }

            use(image, image.Width - 1);
            image.Fill(0);
            Assert.NotEmpty(member);
        }

        walled.AssertWallsStand();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Views_that_reach_over_an_edge_are_out_of_range(string kind)
    {
        using var walled = new WalledImage(kind);
        PixelBuffer<uint> image = walled.Image;
        PixelLease<uint> lease = image.AsLease();
        (int width, int height) = (image.Width, image.Height);
        foreach (int more in (int[])[1, 2, int.MaxValue - width, int.MaxValue - height, int.MinValue, 1 << 30])
        {
            AssertRefused(walled, "View", "width", () => image.View(0, 0, width + more, height));
            AssertRefused(walled, "View", "height", () => image.View(0, 0, width, height + more));
            AssertRefused(walled, "View", "width", () => lease.View(width - 1, 0, 1 + more, height));
            AssertRefused(walled, "View", "height", () => lease.View(0, height - 1, width, 1 + more));
            AssertRefused(walled, "View", "height", () => image.AsReadOnly().View(0, 0, 1, height + more));
        }

        // What it shows is not larger than itself, although there are pixels around it.
        using PixelBuffer<uint> inside = image.View(1, 1, width - 2, height - 2);
        AssertRefused(walled, "View", "width", () => inside.View(0, 0, width - 1, 1));
        AssertRefused(walled, "View", "x", () => inside.View(-1, 0, 1, 1));
        AssertRefused(walled, "View", "y", () => inside[0, height - 2] = 1);
        AssertRefused(walled, "View", "y", () => inside[0, -1] = 1);
        walled.AssertWallsStand();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Bands_have_no_rows_of_others(string kind)
    {
        using var walled = new WalledImage(kind);
        walled.Image.ProcessPixelRowsInParallel(rows =>
        {
            foreach (int y in Outside(rows.Height, walled.Image.Stride))
            {
                bool refused = false;
                try
                {
                    rows.GetRowSpan(y).Fill(1);
                }
                catch (ArgumentOutOfRangeException)
                {
                    refused = true;
                }

                Assert.True(refused, $"There is a row {y} in a band of {rows.Height}.");
            }
        });
        PixelPattern.AssertEveryByte(walled.Image, 0);
        walled.AssertWallsStand();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Whoever_writes_all_pixels_writes_nothing_else(string kind)
    {
        using var walled = new WalledImage(kind);
        foreach ((string writer, Action<PixelBuffer<uint>> write) in EdgeMembers.Writers)
        {
            walled.Image.Fill(0);
            write(walled.Image);
            PixelPattern.AssertEveryByte(walled.Image, 0xFF);
            walled.AssertWallsStand();
            Assert.NotEmpty(writer);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Copies_of_one_too_many_or_too_few_are_refused(string kind)
    {
        using var walled = new WalledImage(kind);
        PixelBuffer<uint> image = walled.Image;
        PixelLease<uint> lease = image.AsLease();
        int needed = image.Width * image.Height;
        uint[] pixels = EdgeMembers.Full(image, image.Width);
        byte[] bytes = EdgeMembers.Bytes(image, 0);
        AssertArgument(walled, () => image.CopyFrom(pixels.AsSpan(1)));
        AssertArgument(walled, () => image.CopyTo(pixels.AsSpan(1)));
        AssertArgument(walled, () => lease.CopyFrom(pixels.AsSpan(0, needed - 1)));
        AssertArgument(walled, () => lease.CopyTo(pixels.AsSpan(0, needed - 1)));
        AssertArgument(walled, () => image.CopyFrom(bytes.AsSpan(1), image.Width * 4));
        AssertArgument(walled, () => image.CopyTo(bytes.AsSpan(1), image.Width * 4));
        foreach (int stride in (int[])[image.Width - 1, 0, -1, -image.Width, int.MinValue])
        {
            AssertRefused(walled, "CopyFrom", "stride", () => image.CopyFrom(pixels, stride));
            AssertRefused(walled, "CopyTo", "stride", () => image.CopyTo(pixels.AsSpan(), stride));
            AssertRefused(walled, "CopyTo", "stride", () => lease.CopyTo(bytes.AsSpan(), stride));
        }

        // Rows × stride is more than an int has room for, in both signs, and 0 in 32 bits.
        foreach (int stride in (int[])[int.MaxValue, int.MaxValue / (image.Height - 1), (int)Math.Min(int.MaxValue, ((1L << 32) / (image.Height - 1)) + 1), 1 << 30, 1 << 28])
        {
            AssertArgument(walled, () => image.CopyFrom(pixels, stride));
            AssertArgument(walled, () => image.CopyTo(pixels.AsSpan(), stride));
            AssertArgument(walled, () => lease.CopyFrom(bytes.AsSpan(), stride));
            AssertArgument(walled, () => lease.CopyTo(bytes.AsSpan(), stride));
        }

        Assert.Equal(-1, pixels.AsSpan().IndexOfAnyExcept(0xFFFF_FFFFu));
        PixelPattern.AssertEveryByte(image, 0);

        // The last row needs no gap behind it, and gets none.
        uint[] exact = new uint[((image.Width + 3) * (image.Height - 1)) + image.Width + 1];
        exact[^1] = 77;
        image.CopyTo(exact.AsSpan()[..^1], image.Width + 3);
        Assert.Equal(77u, exact[^1]);
        walled.AssertWallsStand();
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Streams_and_sequences_end_with_the_last_byte(string kind)
    {
        using var walled = new WalledImage(kind);
        PixelBuffer<uint> image = walled.Image;
        long length = (long)image.Width * image.Height * sizeof(uint);
        using (Stream stream = image.AsStream())
        {
            foreach (long position in (long[])[length - 1, length, length + 1, int.MaxValue, 1L << 32, long.MaxValue])
            {
                stream.Position = position;
                Assert.Throws<NotSupportedException>(() => stream.Write([1, 1, 1], 0, 3));
                Assert.Equal(position, stream.Position);
                stream.Position = Math.Max(length, position);
                Assert.Throws<NotSupportedException>(() => stream.WriteByte(1));
                Assert.Equal((0, -1), (stream.Read(new byte[5], 0, 5), stream.ReadByte()));
            }

            Assert.Throws<ArgumentOutOfRangeException>(() => stream.Position = -1);
            Assert.Throws<IOException>(() => stream.Seek(-length - 1, SeekOrigin.End));
            Assert.Throws<IOException>(() => stream.Seek(long.MinValue, SeekOrigin.Current));
            Assert.Throws<NotSupportedException>(() => stream.SetLength(length + 1));
        }

        // One byte less than an image: what came is there, and the rest is untouched.
        Assert.Throws<EndOfStreamException>(() => image.ReadFrom(new MemoryStream(new byte[length - 1])));
        Assert.Throws<EndOfStreamException>(() => image.ReadFromAsync(new MemoryStream(new byte[length - 1])).AsTask().GetAwaiter().GetResult());
        ReadOnlySequence<byte> sequence = image.AsReadOnlySequence();
        Assert.Equal(length, sequence.Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => sequence.Slice(0, length + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => sequence.Slice(-1, 2));
        PixelPattern.AssertEveryByte(image, 0);
        walled.AssertWallsStand();
    }

    private static IEnumerable<int> Outside(int size, int bytes)
    {
        bytes = Math.Abs(bytes);
        return
        [
            -1, -2, -size, int.MinValue, int.MinValue + 1, size, size + 1, int.MaxValue, int.MaxValue - 1, 1 << 30, 1 << 31 - 3,

            // Times the bytes of one, these are 0 or small in 32 bits, or just negative.
            (int)Math.Min(int.MaxValue, (1L << 32) / bytes), (int)Math.Min(int.MaxValue, ((1L << 32) / bytes) + 1), (int)Math.Max(size, (1L << 31) / bytes), -(int)((1L << 31) / bytes),
        ];
    }

    private static void AssertRefused(WalledImage walled, string member, string parameter, Action use)
    {
        Exception? thrown = Record.Exception(use);
        Assert.True(thrown is ArgumentOutOfRangeException range && range.ParamName == parameter, $"{member}: {thrown?.ToString() ?? "no exception"}");
        Assert.False(walled.Image.IsDisposed);
    }

    private static void AssertArgument(WalledImage walled, Action use)
    {
        Assert.IsType<ArgumentException>(Record.Exception(use));
        Assert.False(walled.Image.IsDisposed);
    }
}
