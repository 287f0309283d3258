using PixelPool.Stress.Renting;

namespace PixelPool.Stress.SmallMemory;

/// <summary>Who rents small memory.</summary>
internal abstract record SmallContender(string Name, string Title)
{
    public static SmallContender BufferArrays { get; } =
        new TypedContender<BufferRenter, BufferImage>("buffer-arrays", "PixelBuffer, arrays", () => new(Allocator(SmallBufferStrategy.ArrayPool)));

    public static SmallContender LeaseArrays { get; } =
        new TypedContender<LeaseRenter, PixelLease<uint>>("lease-arrays", "PixelLease, arrays", () => new(Allocator(SmallBufferStrategy.ArrayPool)));

    public static SmallContender BufferSlabs { get; } =
        new TypedContender<BufferRenter, BufferImage>("buffer-slabs", "PixelBuffer, slabs", () => new(Allocator(SmallBufferStrategy.Slab)));

    public static SmallContender LeaseSlabs { get; } =
        new TypedContender<LeaseRenter, PixelLease<uint>>("lease-slabs", "PixelLease, slabs", () => new(Allocator(SmallBufferStrategy.Slab)));

    public static SmallContender ArrayPool { get; } = new TypedContender<ArrayPoolRenter, ArrayImage>("arraypool", "ArrayPool.Shared", () => default);

    public static SmallContender Native { get; } = new TypedContender<NativeRenter, NativeImage>("native", "NativeMemory (malloc)", () => default);

    /// <summary>For images of <see cref="Images.ImagesPlan"/> only.</summary>
    public static SmallContender LockedStack { get; } =
        new TypedContender<LockedStackRenter, NativeImage>("locked-stack", "one lock + stack", () => new(Images.ImagesPlan.ImageBytes));

    public static SmallContender NewArray { get; } = new TypedContender<NewArrayRenter, ArrayImage>("new-array", "new byte[]", () => default);

    private static readonly SmallContender[] s_all = [BufferArrays, LeaseArrays, BufferSlabs, LeaseSlabs, ArrayPool, Native, LockedStack, NewArray];

    public static SmallContender Named(string name) => s_all.First(contender => contender.Name == name);

    /// <summary>Does the work with a renter of its own.</summary>
    public abstract TResult Run<TResult>(IRenterWork<TResult> work);

    private static PixelAllocator Allocator(SmallBufferStrategy strategy) => PixelAllocator.Create(new PixelAllocatorOptions { SmallBuffers = strategy });
}
