using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Runtime.CompilerServices;

namespace Release.Tests;

/// <summary>The program that runs on every system (<c>tests/everywhere</c>) calls all that the library offers: a new member gets its line there.</summary>
public sealed class ExercisedMembersTests
{
    // What the compiler made of records.
    private static readonly string[] s_made = ["Equals", "GetHashCode", "Deconstruct", "op_Equality", "op_Inequality", "<Clone>$"];

    // Only libraries that build upon this one make them.
    private static readonly string[] s_madeByLibraries = ["InvalidMemoryOperationException..ctor", "PixelBudgetExceededException..ctor", "PlaneLayout..ctor"];

    [Fact]
    public void Every_public_member_is_called()
    {
        Dictionary<string, int> called = ReadCalls(Path.Combine(AppContext.BaseDirectory, "Everywhere.Exercise.dll"));
        string[] missing =
        [
            .. typeof(PixelPool.PixelAllocator).Assembly.GetExportedTypes()
                .Where(static type => !type.IsEnum && !type.IsSubclassOf(typeof(Delegate)))
                .SelectMany(Members)
                .GroupBy(static name => name)
                .Where(member => Array.IndexOf(s_madeByLibraries, member.Key) < 0 && called.GetValueOrDefault(member.Key) < member.Count())
                .Select(member => $"{member.Key}: {called.GetValueOrDefault(member.Key)} of {member.Count()} overloads")
                .Order(StringComparer.Ordinal),
        ];
        Assert.True(missing is [], string.Join(Environment.NewLine, missing));
    }

    // Overrides are called through what they override, and the end of a using statement through IDisposable.
    private static IEnumerable<string> Members(Type type) => type
        .GetMembers(BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly)
        .OfType<MethodBase>()
        .Where(static member => member is not MethodInfo method || method.GetBaseDefinition() == method)
        .Where(static member => Array.IndexOf(s_made, member.Name) < 0 && member.Name != nameof(IDisposable.Dispose) && !IsInitializer(member))
        .Select(member => $"{NameOf(type)}.{member.Name}");

    private static bool IsInitializer(MethodBase member) =>
        member is MethodInfo method && method.ReturnParameter.GetRequiredCustomModifiers().Contains(typeof(IsExternalInit));

    private static string NameOf(Type type) => type.DeclaringType is { } outer ? $"{NameOf(outer)}.{type.Name}" : type.Name;

    // How many overloads of each name: their signatures differ, those of one member of several constructed types do not.
    private static Dictionary<string, int> ReadCalls(string file)
    {
        using var assembly = new PEReader(File.OpenRead(file));
        MetadataReader metadata = assembly.GetMetadataReader();
        var signatures = new HashSet<(string Member, string Signature)>();
        foreach (MemberReferenceHandle handle in metadata.MemberReferences)
        {
            MemberReference member = metadata.GetMemberReference(handle);
            if (NameOf(metadata, member.Parent) is { } type)
            {
                signatures.Add(($"{type}.{metadata.GetString(member.Name)}", Convert.ToHexString(metadata.GetBlobBytes(member.Signature))));
            }
        }

        return signatures.CountBy(static call => call.Member).ToDictionary();
    }

    private static string? NameOf(MetadataReader metadata, EntityHandle type) => type.Kind switch
    {
        HandleKind.TypeReference => NameOf(metadata, metadata.GetTypeReference((TypeReferenceHandle)type)),
        HandleKind.TypeSpecification => NameOf(metadata, metadata.GetTypeSpecification((TypeSpecificationHandle)type)),
        _ => null,
    };

    private static string NameOf(MetadataReader metadata, TypeReference type) =>
        type.ResolutionScope.Kind == HandleKind.TypeReference ? $"{NameOf(metadata, type.ResolutionScope)}.{metadata.GetString(type.Name)}" : metadata.GetString(type.Name);

    // A constructed type begins with its definition: GENERICINST, class or value type, and the definition.
    private static string? NameOf(MetadataReader metadata, TypeSpecification type)
    {
        BlobReader blob = metadata.GetBlobReader(type.Signature);
        if (blob.ReadSignatureTypeCode() != SignatureTypeCode.GenericTypeInstance)
        {
            return null;
        }

        blob.ReadCompressedInteger();
        return NameOf(metadata, blob.ReadTypeHandle());
    }
}
