using System.Buffers;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Allocation;

/// <summary>An array pool whose arrays are longer than asked for and full of garbage, and that knows what is out.</summary>
internal sealed class DirtyArrayPool : ArrayPool<byte>
{
    private readonly Lock _gate = new();
    private readonly HashSet<byte[]> _out = [];

    /// <summary>Arrays that were rented and not returned.</summary>
    public int Outstanding => _out.Count;

    /// <summary>The array that was returned last.</summary>
    public byte[]? LastReturned { get; private set; }

    public override byte[] Rent(int minimumLength)
    {
        byte[] array = new byte[minimumLength + 100];
        array.AsSpan().Fill(FakeBlockSource.Garbage);
        lock (_gate)
        {
            _out.Add(array);
        }

        return array;
    }

    public override void Return(byte[] array, bool clearArray = false)
    {
        lock (_gate)
        {
            Assert.True(_out.Remove(array), "An array was returned twice, or never rented.");
            LastReturned = array;
        }
    }
}
