using System.Runtime.InteropServices;

namespace PixelPool.FixedBlocks;

/// <summary>The header of a pooled block that is cut into pieces. Only the thread that owns the block writes it, or one that has stopped all others.</summary>
/// <remarks>
/// What other threads read, the owner, lies apart from what the owner writes at each call: two cache lines, because processors fetch them in pairs. The pieces
/// begin two lines behind that.
/// </remarks>
[StructLayout(LayoutKind.Explicit, Size = Bytes)]
internal unsafe struct BlockHeader
{
    public const int Bytes = 256;

    /// <summary>How far it is from here back to the header: this is the first page of the block, and each has such a number.</summary>
    [FieldOffset(0)]
    public int Back;

    /// <summary>The index of the <see cref="ThreadHeap"/> that the block belongs to.</summary>
    [FieldOffset(4)]
    public int Owner;

    /// <summary>Free pieces, each with the address of the next one.</summary>
    [FieldOffset(128)]
    public byte* Free;

    /// <summary>The next piece that was never used.</summary>
    [FieldOffset(136)]
    public byte* Fresh;

    /// <summary>Where the fresh pieces end that can be handed out: more of the block is prepared then.</summary>
    [FieldOffset(144)]
    public byte* FreshEnd;

    /// <summary>Pieces that are handed out, or on their way back from other threads.</summary>
    [FieldOffset(152)]
    public int Used;

    /// <summary>When so many are left in use the heap has to do something: the block was full, or is empty now. −1: nothing.</summary>
    [FieldOffset(156)]
    public int Alarm;

    /// <summary>Neighbours in a list of the heap.</summary>
    [FieldOffset(160)]
    public BlockHeader* Next;

    [FieldOffset(168)]
    public BlockHeader* Previous;

    /// <summary>Where the part of the block begins that was never prepared, in bytes from the header.</summary>
    [FieldOffset(176)]
    public int Unprepared;

    /// <summary>True when it is in the list of full blocks.</summary>
    [FieldOffset(180)]
    public bool IsFull;

    /// <summary>What the <see cref="BlockSupply"/> needs to give the block back. Nobody else writes it.</summary>
    [FieldOffset(184)]
    public nint Rent;
}
