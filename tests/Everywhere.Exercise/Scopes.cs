using System.Buffers;

namespace Everywhere.Exercise;

/// <summary>Rents that end together.</summary>
internal static class Scopes
{
    public static void EndTogether()
    {
        using PixelAllocator allocator = PixelAllocator.Create();
        PixelBuffer<uint> image;
        using (var scope = new RentScope(allocator) { Tag = "tenant" })
        {
            Checks.Equal((allocator, "tenant"), (scope.Allocator, scope.Tag));
            image = scope.Rent<uint>(1100, 1000);
            Checks.Equal(true, scope.TryRent<uint>(10, 10, out _));
            scope.RentAsync<uint>(10, 10).AsTask().GetAwaiter().GetResult().Clear();
            scope.Lease<uint>(10, 10).Clear();
            Checks.Equal(true, scope.TryLease<uint>(10, 10, out _));
            scope.LeaseAsync<uint>(10, 10).AsTask().GetAwaiter().GetResult().Clear();
            scope.Allocate<uint>(10).Memory.Span.Clear();
            Checks.Equal(true, scope.TryAllocate(10, out IMemoryOwner<uint>? _));
            scope.AllocateAsync<uint>(10).AsTask().GetAwaiter().GetResult().Memory.Span.Clear();
            scope.AllocateStructs<uint>(10).Memory.Span.Clear();
        }

        Checks.Equal(true, image.IsDisposed);
        Checks.NothingIsLeft(allocator);
    }

    public static void HaveBudgetsOfTheirOwn()
    {
        using PixelAllocator allocator = PixelAllocator.Create(new PixelAllocatorOptions { MaxRentedBytes = 64 << 20 });
        using (RentScope scope = allocator.CreateScope(16 << 20))
        using (RentScope inner = scope.CreateScope(8 << 20))
        using (RentScope reserved = scope.ReserveScope(1 << 20))
        using (RentScope later = scope.ReserveScopeAsync(1 << 20).AsTask().GetAwaiter().GetResult())
        using (RentScope outer = allocator.ReserveScope(1 << 20))
        using (RentScope last = allocator.ReserveScopeAsync(1 << 20).AsTask().GetAwaiter().GetResult())
        {
            Checks.Equal((8L << 20, 4L << 20), (inner.MaxRentedBytes!.Value, allocator.GetStatistics().ChargedBytes));
            Checks.Equal(false, inner.TryRent<uint>(2000, 2000, out _));
            inner.Rent<uint>(1000, 1000).Clear();
            Checks.Equal(4L << 20, inner.ChargedBytes);
            using ExternalCharge charge = inner.ChargeExternal(1 << 20);
            Checks.Equal((1L << 20, 5L << 20), (charge.Bytes, inner.ChargedBytes));
            using ExternalCharge another = allocator.ChargeExternal(1 << 20);
            Checks.Equal(2L << 20, allocator.GetStatistics().ExternalBytes);
        }

        Checks.NothingIsLeft(allocator);
    }
}
