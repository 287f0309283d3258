namespace Imaging.Testing;

/// <summary>An empty folder of a test's own, gone at its end.</summary>
public sealed class TemporaryFolder : IDisposable
{
    public string FullPath { get; } = Directory.CreateTempSubdirectory("PixelPool.Tests.").FullName;

    public string this[string name] => Path.Combine(FullPath, name);

    public void Write(string name, byte[] bytes) => File.WriteAllBytes(this[name], bytes);

    public void Dispose() => Directory.Delete(FullPath, recursive: true);
}
