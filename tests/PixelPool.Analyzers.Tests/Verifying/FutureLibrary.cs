using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace PixelPool.Analyzers.Tests.Verifying;

/// <summary>A PixelPool with only the shapes of members that a later version has.</summary>
internal static class FutureLibrary
{
    private const string Source = """
        using System; using System.Buffers; using System.IO; using System.Threading.Tasks;
        namespace PixelPool
        {
            public class PixelAllocator
            {
                public PixelLease<T> Lease<T>(int width, int height) => default;
                public bool TryLease<T>(int width, int height, out PixelLease<T> lease) { lease = default; return false; }
                public ValueTask<PixelLease<T>> LeaseAsync<T>(int width, int height) => default;
                public IMemoryOwner<T> Allocate<T>(int length) => null!;
                public bool TryAllocate<T>(int length, out IMemoryOwner<T> owner) { owner = null!; return false; }
                public ValueTask<IMemoryOwner<T>> AllocateAsync<T>(int length) => default;
            }
            public class PixelBuffer<T> : IDisposable
            {
                public int Width => 0;
                public PixelBuffer<T> Clone() => this;
                public PinnedPixels Pin() => null!;
                public void Dispose() { }
            }
            public struct PixelLease<T> : IDisposable { public int Width => 0; public void Dispose() { } }
            public class PinnedPixels : IDisposable { public nint Address => 0; public void Dispose() { } }
            public class PixelPoolStream : MemoryStream { public PixelPoolStream(PixelAllocator allocator) { } }
            public class PlanarImage : IDisposable
            {
                public static PlanarImage Rent(PixelAllocator allocator) => null!;
                public PixelBuffer<byte> Plane(int plane) => null!;
                public void Dispose() { }
            }
        }
        namespace PixelPool.Diagnostics { public class Nothing { } }
        """;

    public static MetadataReference Reference { get; } = Compile();

    private static MetadataReference Compile()
    {
        using var image = new MemoryStream();
        var compilation = CSharpCompilation.Create(
            "PixelPool", [CSharpSyntaxTree.ParseText(Source, Compiling.Parsing)], Compiling.Platform, Compiling.Options);
        Assert.True(compilation.Emit(image).Success);
        return MetadataReference.CreateFromImage(image.ToArray());
    }
}
