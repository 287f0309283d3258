using PixelPool.Native;

namespace PixelPool.Tests.Native.Linux;

/// <summary>Real memory on a host that takes as long as the test says to provide a huge page.</summary>
internal sealed class HugePageHost : LinuxKernel
{
    public const long Fast = 200_000;
    public const long Slow = 6_000_000;

    /// <summary>Nanoseconds that the touch of a page takes, by its number.</summary>
    public Func<int, long> Takes { get; set; } = static _ => Fast;

    public List<nint> Touched { get; } = [];

    /// <summary>What was asked for, in order.</summary>
    public List<(nint Address, nint Bytes, bool Huge)> Asked { get; } = [];

    /// <summary>Whether a page was last asked to be part of a huge one.</summary>
    public bool IsHuge(nint page) => Asked.Last(asked => asked.Address <= page && page < asked.Address + asked.Bytes).Huge;

    public override void PreferHugePages(nint address, nint bytes, bool preferred)
    {
        Asked.Add((address, bytes, preferred));
        base.PreferHugePages(address, bytes, preferred);
    }

    public override long Touch(nint page)
    {
        Touched.Add(page);
        base.Touch(page);
        return Takes(Touched.Count);
    }
}
