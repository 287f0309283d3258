using System.Runtime.CompilerServices;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>Forgets images.</summary>
internal static class ForgottenImage
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Leak(PixelAllocator allocator, int blocks) => _ = allocator.Rent<byte>(TestSystem.BlockBytes, blocks);
}
