using System.Globalization;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.Misuse;

/// <summary>Pixels of an attacker are no code: no memory of any tier can be executed.</summary>
public sealed class ExecutableMemoryTests
{
    public static TheoryData<MemoryTier> AllTiers => TierSizes.All;

    [Theory]
    [MemberData(nameof(AllTiers))]
    public void Pixels_cannot_be_executed(MemoryTier tier)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "only Linux tells it in /proc");
        using PixelAllocator allocator = TierSizes.Create(tier);
        using PixelBuffer<byte> image = TierSizes.Rent<byte>(allocator, tier);
        for (int y = 0; y < image.Height; y += image.RowsPerBlock)
        {
            using PixelBuffer<byte> row = image.View(0, y, image.Width, 1);
            using PinnedPixels pin = row.Pin();
            Assert.Equal("rw-p", RightsAt(pin.Address));
        }
    }

    private static string RightsAt(nint address)
    {
        foreach (string line in File.ReadLines("/proc/self/maps"))
        {
            string[] columns = line.Split(' ', 3);
            string[] range = columns[0].Split('-');
            if (Parse(range[0]) <= (ulong)address && (ulong)address < Parse(range[1]))
            {
                return columns[1];
            }
        }

        return "not mapped";
    }

    private static ulong Parse(string address) => ulong.Parse(address, NumberStyles.HexNumber, CultureInfo.InvariantCulture);
}
