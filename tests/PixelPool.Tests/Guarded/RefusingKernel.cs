using PixelPool.Native;

namespace PixelPool.Tests.Guarded;

/// <summary>The real kernel, but for what it refuses; counts mappings that cannot be touched. Thread-safe.</summary>
internal sealed class RefusingKernel : LinuxKernel
{
    private readonly HashSet<nint> _open = [];

    public bool RefusesMapping { get; set; }

    public bool RefusesProtection { get; set; }

    /// <summary>Those that were mapped and not unmapped.</summary>
    public int OpenMappings
    {
        get
        {
            lock (_open)
            {
                return _open.Count;
            }
        }
    }

    public override nint MapClosed(nint bytes)
    {
        nint mapping = RefusesMapping ? 0 : base.MapClosed(bytes);
        if (mapping != 0)
        {
            lock (_open)
            {
                _open.Add(mapping);
            }
        }

        return mapping;
    }

    public override bool TryProtect(nint address, nint bytes, bool canBeTouched) => !RefusesProtection && base.TryProtect(address, bytes, canBeTouched);

    public override bool TryUnmap(nint address, nint bytes)
    {
        lock (_open)
        {
            _open.Remove(address);
        }

        return base.TryUnmap(address, bytes);
    }
}
