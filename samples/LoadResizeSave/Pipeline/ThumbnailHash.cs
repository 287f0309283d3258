using System.Security.Cryptography;
using System.Text;

namespace LoadResizeSave.Pipeline;

/// <summary>One number for all thumbnails: two runs that agree in it made the same files.</summary>
internal static class ThumbnailHash
{
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
