using System.Runtime.InteropServices;

namespace PixelPool.Stress.Renting;

/// <summary>Addresses of blocks, the last one returned on top. What is not there is allocated; nothing is ever freed.</summary>
internal sealed class LockedStack(int blockBytes)
{
    private readonly Lock _lock = new();
    private nint[] _blocks = new nint[64];
    private int _count;

    public void Rent(Span<nint> blocks)
    {
        int missing;
        lock (_lock)
        {
            int taken = Math.Min(blocks.Length, _count);
            missing = blocks.Length - taken;
            _count -= taken;
            _blocks.AsSpan(_count, taken).CopyTo(blocks[missing..]);
        }

        for (int i = 0; i < missing; i++)
        {
            blocks[i] = Allocate();
        }
    }

    public void Return(ReadOnlySpan<nint> blocks)
    {
        lock (_lock)
        {
            if (_count + blocks.Length > _blocks.Length)
            {
                Array.Resize(ref _blocks, 2 * _blocks.Length);
            }

            blocks.CopyTo(_blocks.AsSpan(_count));
            _count += blocks.Length;
        }
    }

    private unsafe nint Allocate() => (nint)NativeMemory.Alloc((nuint)blockBytes);
}
