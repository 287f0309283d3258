using System.Reflection;
using System.Runtime.CompilerServices;
using PixelPool.FixedBlocks;
using PixelPool.Pooling;
using PixelPool.Tests.Infrastructure;
using PixelPool.Threading;

namespace PixelPool.Tests.ManagedMemory;

/// <summary>What gives something back is done for the first time in a process that has no managed memory left: what that takes was there before.</summary>
[Trait("Category", "Long")]
public sealed class FirstTimeTests
{
    private static readonly Dictionary<string, Func<Action>> s_ways = new()
    {
        ["small"] = static () => Return(static allocator => allocator.Rent<byte>(16, 16)),
        ["slab"] = static () => Return(static allocator => allocator.Rent<byte>(16, 16), static options => options.SmallBuffers = SmallBufferStrategy.Slab),
        ["blocks"] = static () => Return(static allocator => allocator.Rent<byte>(256, 256 * 3)),
        ["unpooled"] = static () => Return(static allocator => allocator.Rent<byte>(256, 256 * 20)),
        ["scope"] = static () => Return(static allocator =>
        {
            RentScope scope = allocator.ReserveScope(2 * WalkedAllocator.BlockBytes);
            scope.Rent<byte>(256, 200);
            return scope;
        }),
        ["allocator"] = static () => Return(static allocator =>
        {
            allocator.Rent<byte>(256, 200).Dispose();
            return allocator;
        }),
        ["native"] = static () =>
        {
            PixelAllocator allocator = Create();
            using PixelBuffer<byte> image = allocator.Rent<byte>(256, 200);
            using PinnedPixels pin = image.Pin();
            NativePixels native = pin.GiveToNative();
            return native.Release;
        },
        ["wake-up"] = static () =>
        {
            object monitor = new();
            return () => Sleepers.WakeOne(monitor);
        },
        ["trim of slabs"] = static () =>
        {
            // Pages in which no piece is in use go.
            PixelAllocator allocator = Create(static options =>
            {
                options.SmallBuffers = SmallBufferStrategy.Slab;
                options.UseHugePages = false;
            });
            PixelBuffer<byte>[] images = [.. Enumerable.Range(0, 40).Select(_ => allocator.Rent<byte>(64, 60))];
            for (int i = 1; i < images.Length; i++)
            {
                images[i].Dispose();
            }

            return () =>
            {
                allocator.Trim();
                images[0].Dispose();
            };
        },
        ["objects"] = static () =>
        {
            PixelAllocator allocator = Create();
            var objects = new FixedSizeHeap(40_000, new AllocatorSupply(allocator, ownsAllocator: false), checksFrees: true, "test");
            FillBlocks(objects);
            return objects.Dispose;
        },
        ["trim"] = static () =>
        {
            PixelAllocator allocator = Create();
            allocator.Rent<byte>(256, 200).Dispose();
            return () => allocator.Trim();
        },
        ["trim of blocks"] = static () =>
        {
            // Those that lie side by side are found by sorting them.
            PixelAllocator allocator = Create();
            allocator.Rent<byte>(256, 256 * 3).Dispose();
            return () => allocator.Trim();
        },
    };

    private static PixelAllocator? s_used;

    public static TheoryData<string> Ways => [.. s_ways.Keys];

    [Theory]
    [MemberData(nameof(Ways))]
    public void First_way_back_of_a_process_needs_no_managed_memory(string way) => ChildProcess.Run(GoBack, [way], FullHeap.Environment);

    private static void GoBack(string[] arguments)
    {
        Unhandled.Watch();
        CompileLibrary();
        Action way = s_ways[arguments[0]]();
        var heap = new FullHeap();
        Exception? failure = null;
        heap.Fill();
        try
        {
            way();
        }
#pragma warning disable CA1031 // thrown when there is memory for that
        catch (Exception e)
        {
            failure = e;
        }
#pragma warning restore CA1031

        heap.Release();
        Assert.True(failure is null, failure?.ToString());
        Assert.Equal(0, s_used?.GetStatistics().RentedBytes ?? 0);
        using var later = new WalkedAllocator();
        later.Check();
        Unhandled.Check();
    }

    /// <summary>The compiler of the runtime needs memory, too. It runs no initializer of a type.</summary>
    internal static void CompileLibrary()
    {
        const BindingFlags All = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        IEnumerable<Type> types = typeof(PixelAllocator).Assembly.GetTypes().Concat(typeof(FixedSizeHeap).Assembly.GetTypes()).Concat(typeof(FirstTimeTests).GetNestedTypes(All));
        foreach (MethodInfo method in types.Where(static type => !type.ContainsGenericParameters && !type.IsSubclassOf(typeof(Delegate))).SelectMany(static type => type.GetMethods(All)))
        {
            if (!method.ContainsGenericParameters && (method.Attributes & (MethodAttributes.Abstract | MethodAttributes.PinvokeImpl)) == 0)
            {
                RuntimeHelpers.PrepareMethod(method.MethodHandle);
            }
        }
    }

    private static unsafe void FillBlocks(FixedSizeHeap objects)
    {
        for (int i = 0; i < 3; i++)
        {
            objects.Allocate();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Action Return(Func<PixelAllocator, IDisposable> rent, Action<PixelAllocatorOptions>? configure = null) =>
        rent(Create(configure)).Dispose;

    private static PixelAllocator Create(Action<PixelAllocatorOptions>? configure = null) => s_used = new WalkedAllocator(configure).Allocator;
}
