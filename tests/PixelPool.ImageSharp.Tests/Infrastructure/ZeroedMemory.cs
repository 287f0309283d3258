using System.Buffers;
using SixLabors.ImageSharp.Memory;
using ImageSharpOptions = SixLabors.ImageSharp.Memory.AllocationOptions;

namespace ImageSharp.Tests.Infrastructure;

/// <summary>New arrays, all zero: where ImageSharp reads what nobody wrote, it reads the same in every run.</summary>
internal sealed class ZeroedMemory : MemoryAllocator
{
    public override IMemoryOwner<T> Allocate<T>(int length, ImageSharpOptions options = ImageSharpOptions.None) => new Owner<T>(new T[length]);

    protected override int GetBufferCapacityInBytes() => 1 << 30;

    private sealed class Owner<T>(T[] array) : IMemoryOwner<T>
    {
        public Memory<T> Memory => array;

        public void Dispose()
        {
        }
    }
}
