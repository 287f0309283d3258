using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Misuse.Delegates;

/// <summary>Two images of a scope that a delegate works on, and what it may do to them meanwhile.</summary>
internal sealed class DelegateSubject : IDisposable
{
    public const uint Value = 0x1122_3344;

    private const int Height = 30;

    private static readonly int[] s_widths = [20, 400, 1500];

    public DelegateSubject(int size, SmallBufferStrategy small)
    {
        System = new MisusedAllocator(small);
        Scope = new RentScope(System.Allocator);
        Image = Scope.Rent<uint>(s_widths[size], Height);
        Other = Scope.Rent<uint>(s_widths[size], Height);
        Lease = Scope.Lease<uint>(s_widths[size], Height);
        OtherLease = Scope.Lease<uint>(s_widths[size], Height);
        Image.Fill(Value);
        Other.Fill(Value);
        Lease.Fill(Value);
        OtherLease.Fill(Value);
    }

    /// <summary>How many sizes there are: small memory, one block, several.</summary>
    public static int Sizes => s_widths.Length;

    public MisusedAllocator System { get; }

    public RentScope Scope { get; }

    public PixelBuffer<uint> Image { get; }

    public PixelBuffer<uint> Other { get; }

    public PixelLease<uint> Lease { get; }

    public PixelLease<uint> OtherLease { get; }

    public void DisposeImages()
    {
        Image.Dispose();
        Other.Dispose();
        ((IDisposable)Lease).Dispose();
        ((IDisposable)OtherLease).Dispose();
    }

    /// <summary>Others rent what is free, and write there.</summary>
    public void RentByOthers()
    {
        using var scope = new RentScope(System.Allocator);
        foreach (int width in s_widths)
        {
            scope.Rent<uint>(width, Height).Fill(~Value);
            scope.Lease<uint>(width, Height).Fill(~Value);
        }

        scope.Rent<byte>(TestSystem.BlockBytes, 3, AllocationOptions.Contiguous).Fill(0xEE);
    }

    public void Dispose() => System.Dispose();
}
