using System.Reflection;
using System.Runtime.CompilerServices;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>An object whose constructor ran out of memory is finalized, too: what its finalizer throws would end the process.</summary>
public sealed class FailedConstructorTests
{
    public static TheoryData<string> FinalizedTypes =>
    [
        .. typeof(PixelAllocator).Assembly.GetTypes().Where(static type => FinalizerOf(type) is not null).Select(static type => type.FullName!),
    ];

    [Theory]
    [MemberData(nameof(FinalizedTypes))]
    public void Nothing_happens_when_an_object_without_fields_is_finalized(string type)
    {
        Type finalized = typeof(PixelAllocator).Assembly.GetType(type, throwOnError: true)!;
        object failed = RuntimeHelpers.GetUninitializedObject(finalized);
        GC.SuppressFinalize(failed);
        FinalizerOf(finalized)!.Invoke(failed, BindingFlags.DoNotWrapExceptions, null, null, null);
    }

    private static MethodInfo? FinalizerOf(Type type) =>
        type.GetMethod("Finalize", BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.DeclaredOnly, Type.EmptyTypes);
}
