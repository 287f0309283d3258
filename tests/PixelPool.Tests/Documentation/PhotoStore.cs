using System.Runtime.CompilerServices;

namespace PixelPool.Tests.Documentation;

/// <summary>The patient of the leak hunt in <c>docs/memory.md</c>: it forgets, and it keeps. The page shows its lines with their numbers.</summary>
internal sealed class PhotoStore(PixelAllocator allocator)
{
    #region docs/memory.md
    private readonly Dictionary<string, PixelBuffer<uint>> _shown = [];

    public bool Check(ReadOnlySpan<byte> file)
    {
        PixelBuffer<uint> photo = allocator.Rent<uint>(4000, 3000);
        if (!PhotoFile.TryDecode(file, photo))
        {
            return false; // and the photo?
        }

        photo.Dispose();
        return true;
    }

    public void Show(string name, ReadOnlySpan<byte> file)
    {
        PixelBuffer<uint> photo = allocator.Rent<uint>(3000, 2000);
        PhotoFile.TryDecode(file, photo);
        _shown[name] = photo; // what is shown once stays forever
    }
    #endregion

    /// <summary>What a process does for a while: 4 photos are checked, 2 of them are broken; 2 are shown.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Work(Action<TimeSpan> afterwards)
    {
        foreach (byte[] file in (byte[][])[[1], [], [1], []])
        {
            Check(file);
            afterwards(TimeSpan.FromSeconds(1));
        }

        foreach (string name in (string[])["beach", "forest"])
        {
            Show(name, [1]);
            afterwards(TimeSpan.FromMinutes(10));
        }
    }

    /// <summary>Returns what is shown: a leak that is found later would be told in the midst of another test.</summary>
    public void Close()
    {
        foreach (PixelBuffer<uint> photo in _shown.Values)
        {
            photo.Dispose();
        }
    }

    private static class PhotoFile
    {
        public static bool TryDecode(ReadOnlySpan<byte> file, PixelBuffer<uint> photo)
        {
            photo[0, 0] = uint.MaxValue;
            return !file.IsEmpty;
        }
    }
}
