using System.Security.Cryptography;
using System.Text;

namespace Imaging.Thumbnails;

/// <summary>One number for all thumbnails: two runs that agree in it made the same files.</summary>
public static class ThumbnailHash
{
    /// <summary>In hexadecimal digits, of names and contents; the order of <paramref name="paths"/> does not matter.</summary>
    public static string Of(IEnumerable<string> paths)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (string path in paths.OrderBy(path => Path.GetFileName(path), StringComparer.Ordinal))
        {
            using FileStream file = File.OpenRead(path);
            hash.AppendData(Encoding.UTF8.GetBytes(Path.GetFileName(path)));
            hash.AppendData(SHA256.HashData(file));
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }
}
