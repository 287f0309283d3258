using System.Runtime.InteropServices;
using PixelPool.Diagnostics;

namespace Everywhere.Exercise;

/// <summary>Hard limits of the system, for real. Scripts make them, and run this program inside of them.</summary>
internal static class Situations
{
    private const int ImageBytes = 4 << 20;

    // Values of <sys/mman.h>.
    private const int ProtNone = 0;
    private const int ProtRead = 1;
    private const int MapPrivateAnonymous = 0x22;
    private const nint Failed = -1;

    public static int Run(Checks checks, string[] arguments)
    {
        switch (arguments[0])
        {
            case "address-space":
                checks.Run("all address space is used up, and comes back", AddressSpaceRunsOut);
                break;
            case "control-group":
                checks.Run("a group's memory is rented to the budget, and the process lives", GroupIsFull);
                break;
            case "mappings":
                checks.Run("all mappings are used up, and memory is returned", MappingsRunOut);
                break;
            case "full-disk":
                checks.Run("a full disk stops no stream of pixels for good", () => DiskIsFull(arguments[1]));
                break;
            default:
                Console.Error.WriteLine($"there is no situation “{arguments[0]}”");
                return 2;
        }

        return checks.Finish();
    }

    // Whoever started this process limited it (ulimit -v).
    private static void AddressSpaceRunsOut()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 1L << 40 });
        int first = RentAll(allocator);
        Checks.NothingIsLeft(allocator);
        int second = RentAll(allocator);
        Checks.NothingIsLeft(allocator);
        Console.WriteLine($"        {first} images of {ImageBytes >> 20} MiB, then {second}");
        Checks.True(second >= first * 9 / 10, "address space was lost");
    }

    private static int RentAll(PixelAllocator allocator)
    {
        var images = new List<PixelBuffer<uint>>(1 << 16);
        try
        {
            while (images.Count < images.Capacity)
            {
                PixelBuffer<uint> image = allocator.Rent<uint>(1024, 1024);
                images.Add(image);
                image[0, 0] = image[1023, 1023] = (uint)images.Count;
            }

            throw new InvalidOperationException("there is no limit");
        }
        catch (OutOfMemoryException)
        {
            Checks.Equal((long)images.Count * ImageBytes, allocator.GetStatistics().RentedBytes);
        }
        finally
        {
            for (int i = 0; i < images.Count; i++)
            {
                Checks.Equal((uint)i + 1, images[i][1023, 1023]);
                images[i].Dispose();
            }
        }

        return images.Count;
    }

    // The budget leaves room for everything else: if it did not, nobody would read what this writes.
    private static void GroupIsFull()
    {
        PixelAllocatorOptions options = PixelAllocatorOptions.ForContainer();
        Checks.True(MemoryPressureSource.System.IsLimited, "there is no limit");
        using PixelAllocator allocator = PixelAllocator.Create(options);
        for (int round = 0; round < 20; round++)
        {
            var images = new List<PixelBuffer<uint>>();
            while (allocator.TryRent<uint>(1024, 1024, out PixelBuffer<uint>? image))
            {
                image.Fill((uint)images.Count);
                images.Add(image);
            }

            Checks.Equal(options.MaxRentedBytes!.Value / ImageBytes, images.Count);
            images.ForEach(static image => image.Dispose());
        }

        Console.WriteLine($"        budget {options.MaxRentedBytes >> 20} MiB of {MemoryPressureSource.System.GetAvailableBytes() >> 20} MiB");
        Checks.NothingIsLeft(allocator);
    }

    // Neighbours with different protection are mappings of their own. The kernel lets a process have 65,530.
    private static void MappingsRunOut()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxPooledBytes = 64 << 20, GuardedRentSampling = 4 });
        PixelBuffer<uint> held = allocator.Rent<uint>(2000, 1500);
        Pattern.Write(held, 3);
        var foreign = new List<nint>(1 << 20);
        while (mmap(0, Environment.SystemPageSize, foreign.Count % 2 == 0 ? ProtNone : ProtRead, MapPrivateAnonymous, -1, 0) is var page && page != Failed && foreign.Count < foreign.Capacity)
        {
            foreign.Add(page);
        }

        Console.WriteLine($"        {foreign.Count} mappings of others");
        Checks.True(foreign.Count < foreign.Capacity, "there is no limit");
        int refused = 0;
        for (uint i = 0; i < 50; i++)
        {
            try
            {
                using PixelBuffer<uint> image = allocator.Rent<uint>(1000 + (int)i, 1000);
                Pattern.Write(image, i);
                Pattern.Check(image, i);
            }
            catch (OutOfMemoryException)
            {
                refused++;
            }
        }

        Console.WriteLine($"        {refused} of 50 rents were refused");
        Pattern.Check(held, 3);
        held.Dispose();
        allocator.Trim();
        foreign.ForEach(static page => Checks.Equal(0, munmap(page, Environment.SystemPageSize)));
        using (PixelBuffer<uint> image = allocator.Rent<uint>(2000, 1500))
        {
            Pattern.Write(image, 5);
            Pattern.Check(image, 5);
        }

        Checks.NothingIsLeft(allocator);
    }

    // The library writes to streams of the application only.
    private static void DiskIsFull(string folder)
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        using MemoryRecorder recorder = MemoryRecorder.Start(allocator);
        using (PixelBuffer<uint> image = allocator.Rent<uint>(4000, 3000))
        {
            Pattern.Write(image, 7);
            string file = Path.Combine(folder, "pixels");
            Checks.Throws<IOException>(() => Save(file, image.WriteTo));
            Checks.Throws<IOException>(() => Save(file, stream => image.WriteToAsync(stream).AsTask().GetAwaiter().GetResult()));
            File.WriteAllBytes(file, []);
            Fill(Path.Combine(folder, "rest"));
            MemoryRecording recording = recorder.Stop();
            Checks.Throws<IOException>(() => Save(file, stream =>
            {
                using var writer = new StreamWriter(stream, System.Text.Encoding.UTF8, 16, leaveOpen: true);
                recording.WriteSvg(writer);
            }));
            File.Delete(Path.Combine(folder, "rest"));
            File.WriteAllText(file, recording.ToSvg());
            Pattern.Check(image, 7);
        }

        Checks.NothingIsLeft(allocator);
    }

    private static void Save(string file, Action<Stream> write)
    {
        using var stream = new FileStream(file, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 1);
        write(stream);
        stream.Flush();
    }

    private static void Fill(string file)
    {
        var bytes = new byte[1 << 10];
        try
        {
            using var stream = new FileStream(file, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 1);
            while (true)
            {
                stream.Write(bytes, 0, bytes.Length);
            }
        }
        catch (IOException)
        {
        }
    }

    [DllImport("libc")]
    private static extern nint mmap(nint address, nint bytes, int protection, int flags, int file, nint offset);

    [DllImport("libc")]
    private static extern int munmap(nint address, nint bytes);
}
