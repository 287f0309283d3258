using PixelPool.Native;

namespace PixelPool.Tests.Native.Linux;

/// <summary>The real kernel, which refuses one call, or all from one on; knows what is mapped. Thread-safe.</summary>
internal sealed class FailingKernel : LinuxKernel
{
    private readonly Lock _lock = new();
    private readonly SortedDictionary<nint, nint> _mapped = [];
    private readonly HashSet<nint> _guarded = [];
    private readonly HashSet<nint> _kept = [];
    private int _call;
    private int _first = int.MaxValue;
    private int _last = int.MaxValue;

    /// <summary>Calls so far.</summary>
    public int Calls => Volatile.Read(ref _call);

    /// <summary>What was refused, in words; null when nothing was.</summary>
    public string? Refused { get; private set; }

    /// <summary>Bytes that are mapped, but those that it refused to unmap; and whether nobody unmapped what was not, and all that it refused to unmap was to lose its pages.</summary>
    public (long Bytes, bool IsSound) Mapped
    {
        get
        {
            lock (_lock)
            {
                return (_mapped.Values.Sum(static bytes => (long)bytes), IsSound && _kept.Count == 0);
            }
        }
    }

    /// <summary>Mappings whose first page is closed: each is a guarded rent, or one that ended.</summary>
    public int GuardedMappings
    {
        get
        {
            lock (_lock)
            {
                return _guarded.Count;
            }
        }
    }

    /// <summary>The most bytes that may be mapped at once, closed ones, too, as where addresses are limited.</summary>
    public long MostBytes { get; set; } = long.MaxValue;

    /// <summary>Whether pages stay that are to be let go of.</summary>
    public bool KeepsPages { get; set; }

    /// <summary>Told before pages are closed, with their address and their bytes.</summary>
    public Action<nint, nint>? Closing { get; set; }

    private bool IsSound { get; set; } = true;

    /// <summary>Refuses a call, counted from 1 from now on, and the later ones if asked.</summary>
    public void FailAt(int call, bool later)
    {
        _call = 0;
        Refused = null;
        _first = call;
        _last = later ? int.MaxValue : call;
    }

    /// <summary>Refuses nothing more.</summary>
    public void Heal() => _first = int.MaxValue;

    public override nint Map(nint bytes) => Refuses($"mmap of {bytes} bytes") || IsTooMuch(bytes) ? 0 : Add(base.Map(bytes), bytes);

    public override bool TryClose(nint address, nint bytes)
    {
        Closing?.Invoke(address, bytes);
        if (Refuses($"mprotect of {bytes} bytes") || !base.TryClose(address, bytes))
        {
            return false;
        }

        lock (_lock)
        {
            // The first page of a mapping: none is closed but those of guarded rents.
            if (_mapped.ContainsKey(address))
            {
                _guarded.Add(address);
            }
        }

        return true;
    }

    // As the kernel does: it unmaps the place before it finds out most of what can go wrong.
    public override bool TryMove(nint from, nint to, nint bytes)
    {
        if (!Refuses($"mremap of {bytes} bytes"))
        {
            return base.TryMove(from, to, bytes);
        }

        Remove(to, bytes);
        base.TryUnmap(to, bytes);
        return false;
    }

    public override bool TryUnmap(nint address, nint bytes)
    {
        // Before: afterwards somebody else may map there.
        Remove(address, bytes);
        if (!Refuses($"munmap of {bytes} bytes"))
        {
            return base.TryUnmap(address, bytes);
        }

        lock (_lock)
        {
            _kept.Add(address);
        }

        return false;
    }

    public override bool TryDiscard(nint address, nint bytes)
    {
        lock (_lock)
        {
            _kept.Remove(address);
        }

        return !Refuses($"madvise of {bytes} bytes") && !KeepsPages && base.TryDiscard(address, bytes);
    }

    public override void PreferHugePages(nint address, nint bytes, bool preferred)
    {
        if (!Refuses($"madvise of {bytes} bytes, {preferred}"))
        {
            base.PreferHugePages(address, bytes, preferred);
        }
    }

    private bool IsTooMuch(nint bytes) => bytes > MostBytes - Mapped.Bytes;

    private bool Refuses(string what)
    {
        int call = Interlocked.Increment(ref _call);
        if (call < _first || call > _last)
        {
            return false;
        }

        Refused ??= what;
        return true;
    }

    private nint Add(nint address, nint bytes)
    {
        if (address != 0)
        {
            lock (_lock)
            {
                _mapped.Add(address, bytes);
            }
        }

        return address;
    }

    private void Remove(nint address, nint bytes)
    {
        nint end = address + bytes;
        lock (_lock)
        {
            _guarded.Remove(address);
            long found = 0;
            foreach ((nint start, nint size) in _mapped.Where(mapping => mapping.Key < end && mapping.Key + mapping.Value > address).ToArray())
            {
                _mapped.Remove(start);
                if (start < address)
                {
                    _mapped.Add(start, address - start);
                }

                if (start + size > end)
                {
                    _mapped.Add(end, start + size - end);
                }

                found += Math.Min(end, start + size) - Math.Max(address, start);
            }

            IsSound &= found == bytes;
        }
    }
}
