using System.Buffers;
using Imaging.Memory;

namespace Imaging.Photos;

/// <summary>A file to make a thumbnail of, and the name of the thumbnail without its extension.</summary>
public sealed record Photo(string Path, string ThumbnailName)
{
    /// <summary>Without the folder.</summary>
    public string FileName => System.IO.Path.GetFileName(Path);

    /// <summary>The whole file, in memory that the caller gives back.</summary>
    public IMemoryOwner<byte> Read(ImageMemory memory)
    {
        using FileStream file = File.OpenRead(Path);
        if (file.Length > Array.MaxLength)
        {
            throw new NotSupportedException("Files of two gigabytes and more are not supported.");
        }

        IMemoryOwner<byte> bytes = memory.RentBytes((int)file.Length);
        try
        {
            file.ReadExactly(bytes.Memory.Span);
            return bytes;
        }
        catch
        {
            bytes.Dispose();
            throw;
        }
    }
}
