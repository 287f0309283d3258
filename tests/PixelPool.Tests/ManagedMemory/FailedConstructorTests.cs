using System.Reflection;
using System.Runtime.CompilerServices;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>An object whose constructor ran out of memory is finalized, too: what its finalizer throws would end the process.</summary>
public sealed class FailedConstructorTests
{
    private static readonly Assembly[] s_libraries = [typeof(PixelAllocator).Assembly, typeof(FixedBlockAllocator<>).Assembly];

    public static TheoryData<string> FinalizedTypes =>
    [
        .. s_libraries.SelectMany(static library => library.GetTypes()).Where(static type => FinalizerOf(type) is not null).Select(static type => type.FullName!),
    ];

    [Theory]
    [MemberData(nameof(FinalizedTypes))]
    public void Nothing_happens_when_an_object_without_fields_is_finalized(string type)
    {
        Type finalized = s_libraries.Select(library => library.GetType(type)).Single(static found => found is not null)!;
        object failed = RuntimeHelpers.GetUninitializedObject(finalized);
        GC.SuppressFinalize(failed);
        FinalizerOf(finalized)!.Invoke(failed, BindingFlags.DoNotWrapExceptions, null, null, null);
    }

    private static MethodInfo? FinalizerOf(Type type) =>
        type.GetMethod("Finalize", BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly, Type.EmptyTypes);
}
