using System.Buffers;
using Imaging.Memory;

namespace Imaging.Testing;

/// <summary>
/// Memory that is full of garbage, counts what is not given back, notices writes past its end, and fails at the
/// rent it is told to. For one thread.
/// </summary>
public sealed class ObservedMemory : FlatImageMemory
{
    /// <summary>Which rent fails, counted from 1; 0: none.</summary>
    public int FailAt { get; init; }

    public int Rents { get; private set; }

    /// <summary>Rents not given back.</summary>
    public int Live { get; private set; }

    public override IMemoryOwner<byte> RentBytes(int length)
    {
        Rents++;
        if (Rents == FailAt)
        {
            throw new OutOfMemoryException("The test wants this rent to fail.");
        }

        Live++;
        return new ObservedBytes(length, () => Live--);
    }
}
