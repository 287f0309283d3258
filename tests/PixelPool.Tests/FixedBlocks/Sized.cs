using System.Runtime.InteropServices;

namespace PixelPool.Tests.FixedBlocks;

/// <summary>Objects of several sizes. Each begins with a stamp where there is room for one.</summary>
internal static class Sized
{
    [StructLayout(LayoutKind.Sequential, Size = 1)]
    public struct Of1
    {
        public byte Stamp;
    }

    [StructLayout(LayoutKind.Sequential, Pack = 4, Size = 12)]
    public struct Of12
    {
        public long Stamp;
    }

    [StructLayout(LayoutKind.Sequential, Size = 32)]
    public struct Of32
    {
        public long Stamp;
    }

    [StructLayout(LayoutKind.Sequential, Size = 200)]
    public struct Of200
    {
        public long Stamp;
    }

    [StructLayout(LayoutKind.Sequential, Size = 1000)]
    public struct Of1000
    {
        public long Stamp;
    }

    [StructLayout(LayoutKind.Sequential, Size = 40_000)]
    public struct Of40000
    {
        public long Stamp;
    }

    [StructLayout(LayoutKind.Sequential, Size = 65_536)]
    public struct Of65536
    {
        public long Stamp;
    }
}
