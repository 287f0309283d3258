using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>What the package uses of the library that others cannot: <c>docs/architecture.md</c> lists it, and it stays little.</summary>
public sealed class SharedInternalsTests
{
    private const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.Static | BindingFlags.NonPublic;

    [Fact]
    public void The_package_uses_few_internal_types_and_members()
    {
        using var image = new PEReader(File.OpenRead(typeof(FixedBlockAllocator<>).Assembly.Location));
        MetadataReader metadata = image.GetMetadataReader();
        IEnumerable<string> used =
            from handle in metadata.MemberReferences
            let member = metadata.GetMemberReference(handle)
            where member.Parent.Kind == HandleKind.TypeReference
            let type = Find(metadata, (TypeReferenceHandle)member.Parent)
            let name = metadata.GetString(member.Name)
            where type is not null && !type.IsDefined(typeof(AttributeUsageAttribute)) && (!type.IsVisible || (name != ConstructorInfo.ConstructorName && type.GetMember(name, Hidden).Length != 0))
            select type.IsVisible ? $"{type.Name}.{name}" : type.Name;
        Assert.Equal(
            [
                "BiasedLock", "BlockSource", "ByteSize", "CacheLineApart", "FairLock", "PixelAllocator.AllocateBlock", "PixelAllocator.TryAllocateBlock", "PixelAllocator.get_ClearsOnReturn",
                "PixelAllocator.get_PieceSizes", "ProcessBarrier", "Throw", "TypeName", "UniformUnmanagedMemoryPool.get_ClearsOnReturn", "Uninterrupted", "UninterruptibleLock",
            ],
            used.Distinct().Order(StringComparer.Ordinal));
    }

    private static Type? Find(MetadataReader metadata, TypeReferenceHandle handle)
    {
        TypeReference type = metadata.GetTypeReference(handle);
        return typeof(PixelAllocator).Assembly.GetType($"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}");
    }
}
