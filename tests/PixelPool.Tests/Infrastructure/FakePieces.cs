using System.Runtime.InteropServices;
using PixelPool.Native;

namespace PixelPool.Tests.Infrastructure;

/// <summary>Memory in pieces, each of which is freed as it was got.</summary>
internal sealed unsafe class FakePieces : FakeMemory
{
    private const byte Fence = 0xA5;
    private const int FenceBytes = 64;

    private readonly SortedDictionary<nint, long> _live = [];
    private long _liveBytes;

    public override long LiveBytes => _liveBytes;

    public override IEnumerable<long> LiveSizes => _live.Values;

    public override bool IsLive(nint address) => _live.Any(piece => address >= piece.Key && address < piece.Key + (nint)piece.Value);

    /// <returns>Where the piece begins in which the address lies; 0 when it is not handed out.</returns>
    public nint StartOf(nint address) => _live.FirstOrDefault(piece => address >= piece.Key && address < piece.Key + (nint)piece.Value).Key;

    public override nint Take(long bytes, byte content)
    {
        byte* piece = (byte*)NativeMemory.AlignedAlloc((nuint)bytes + FenceBytes, BlockSource.AlignmentBytes);
        NativeMemory.Fill(piece, (nuint)bytes, content);
        NativeMemory.Fill(piece + bytes, FenceBytes, Fence);
        _liveBytes += bytes;
        _live.Add((nint)piece, bytes);
        return (nint)piece;
    }

    public override bool Give(nint address, long bytes)
    {
        if (!_live.TryGetValue(address, out long size))
        {
            Misuse.Add($"0x{address:x} was freed, which is free already or was never handed out.");
            return false;
        }

        if (size != bytes)
        {
            Misuse.Add($"0x{address:x} of {size} bytes was freed as {bytes} bytes.");
            return false;
        }

        byte* piece = (byte*)address;
        if (new ReadOnlySpan<byte>(piece + bytes, FenceBytes).ContainsAnyExcept(Fence))
        {
            Misuse.Add($"0x{address:x} of {size} bytes was written past its end.");
        }

        _live.Remove(address);
        _liveBytes -= size;
        NativeMemory.Fill(piece, (nuint)bytes, Freed);
        NativeMemory.AlignedFree(piece);
        return true;
    }
}
