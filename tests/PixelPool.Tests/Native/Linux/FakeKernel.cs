using PixelPool.Native;

namespace PixelPool.Tests.Native.Linux;

/// <summary>
/// A kernel with an address space of its own, in which nothing is memory: it knows of each page whose it is and what was written to it. Fails the test when a call
/// touches a page that is not the caller's. Thread-safe.
/// </summary>
internal sealed class FakeKernel(int pageBytes = 4096, int maxMappings = 65_530) : LinuxKernel
{
    private const int Pages = 1 << 16;
    private static readonly nint s_bottom = unchecked((nint)(1L << 40));

    private readonly Lock _lock = new();
    private readonly Owner[] _owners = new Owner[Pages];
    private readonly int[] _contents = new int[Pages];

    private enum Owner : byte
    {
        Nobody,
        Caller,
        Other,
    }

    public override int PageBytes => pageBytes;

    /// <summary>Called before a call is served; says that it is refused. Without a lock.</summary>
    public Func<nint, nint, bool>? RefusesMap { get; set; }

    /// <summary>As <see cref="RefusesMap"/>.</summary>
    public Func<nint, nint, bool>? RefusesUnmap { get; set; }

    /// <summary>Says whether a move from an address is refused, and what was done to the place before.</summary>
    public Func<nint, PlaceAfter?>? RefusesMove { get; set; }

    /// <summary>Called before pages are let go of. Without a lock.</summary>
    public Action? OnDiscard { get; set; }

    /// <summary>Called after each call that changes what is mapped. Without a lock.</summary>
    public Action? OnChanged { get; set; }

    public int Maps { get; private set; }

    public int Unmaps { get; private set; }

    public int Moves { get; private set; }

    public int Discards { get; private set; }

    public int Advices { get; private set; }

    /// <summary>Pages that are the caller's.</summary>
    public int OwnPages => Count(Owner.Caller);

    /// <summary>Pages of others.</summary>
    public int OtherPages => Count(Owner.Other);

    /// <summary>Pages that are memory.</summary>
    public int WrittenPages
    {
        get
        {
            lock (_lock)
            {
                return _contents.Count(static content => content != 0);
            }
        }
    }

    /// <summary>Ranges of the caller with something else, or nothing, between them.</summary>
    public int OwnRanges
    {
        get
        {
            lock (_lock)
            {
                return Enumerable.Range(1, Pages - 1).Count(page => _owners[page] == Owner.Caller && _owners[page - 1] != Owner.Caller);
            }
        }
    }

    public override int MaxMappings => maxMappings;

    public override nint Map(nint bytes)
    {
        if (RefusesMap?.Invoke(0, bytes) == true)
        {
            return 0;
        }

        nint address;
        lock (_lock)
        {
            Maps++;
            int count = PagesOf(bytes);
            int first = FindHole(count);
            if (first < 0)
            {
                return 0;
            }

            Set(first, count, Owner.Caller);
            address = AddressOf(first);
        }

        OnChanged?.Invoke();
        return address;
    }

    public override bool TryUnmap(nint address, nint bytes)
    {
        bool isRefused = RefusesUnmap?.Invoke(address, bytes) == true;
        lock (_lock)
        {
            Unmaps++;
            CheckOwn(address, bytes);
            if (!isRefused)
            {
                Set(PageOf(address), PagesOf(bytes), Owner.Nobody);
            }
        }

        OnChanged?.Invoke();
        return !isRefused;
    }

    public override bool TryMove(nint from, nint to, nint bytes)
    {
        PlaceAfter? place = RefusesMove?.Invoke(from);
        lock (_lock)
        {
            Moves++;
            CheckOwn(from, bytes);
            CheckOwn(to, bytes);
            int count = PagesOf(bytes);
            if (place is null)
            {
                Array.Copy(_contents, PageOf(from), _contents, PageOf(to), count);
                Array.Clear(_contents, PageOf(from), count);
            }
            else if (place != PlaceAfter.Kept)
            {
                Set(PageOf(to), count, place == PlaceAfter.Hole ? Owner.Nobody : Owner.Other);
            }
        }

        OnChanged?.Invoke();
        return place is null;
    }

    public override bool TryDiscard(nint address, nint bytes)
    {
        OnDiscard?.Invoke();
        lock (_lock)
        {
            Discards++;
            CheckOwn(address, bytes);
            Array.Clear(_contents, PageOf(address), PagesOf(bytes));
        }

        return true;
    }

    public override void PreferHugePages(nint address, nint bytes, bool preferred)
    {
        lock (_lock)
        {
            Advices++;
            CheckOwn(address, bytes);
        }
    }

    public override long Touch(nint page)
    {
        lock (_lock)
        {
            CheckOwn(page, pageBytes);
        }

        return 0;
    }

    /// <summary>Somebody else maps pages in a hole.</summary>
    /// <returns>The address, or 0 when there is no hole.</returns>
    public nint MapForOther(nint bytes)
    {
        lock (_lock)
        {
            int first = FindHole(PagesOf(bytes));
            if (first < 0)
            {
                return 0;
            }

            Set(first, PagesOf(bytes), Owner.Other);
            return AddressOf(first);
        }
    }

    public void UnmapOfOther(nint address, nint bytes)
    {
        lock (_lock)
        {
            Assert.True(Is(address, bytes, Owner.Other), "memory of somebody else is gone");
            Set(PageOf(address), PagesOf(bytes), Owner.Nobody);
        }
    }

    /// <summary>Whether all pages of a range are the caller's.</summary>
    public bool IsOwn(nint address, nint bytes)
    {
        lock (_lock)
        {
            return Is(address, bytes, Owner.Caller);
        }
    }

    /// <summary>Writes to every page of a range.</summary>
    public void Write(nint address, nint bytes, int content)
    {
        lock (_lock)
        {
            CheckOwn(address, bytes);
            Array.Fill(_contents, content, PageOf(address), PagesOf(bytes));
        }
    }

    /// <summary>Whether every page of a range holds this.</summary>
    public bool Holds(nint address, nint bytes, int content)
    {
        lock (_lock)
        {
            CheckOwn(address, bytes);
            return !_contents.AsSpan(PageOf(address), PagesOf(bytes)).ContainsAnyExcept(content);
        }
    }

    private void CheckOwn(nint address, nint bytes)
    {
        Assert.True(bytes > 0 && address % pageBytes == 0, $"{bytes} bytes at 0x{address:x}");
        Assert.True(Is(address, bytes, Owner.Caller), $"a page of {bytes} bytes at 0x{address:x} is not the caller's");
    }

    private bool Is(nint address, nint bytes, Owner owner)
    {
        int first = PageOf(address);
        int count = PagesOf(bytes);
        return first >= 0 && first + count <= Pages && !_owners.AsSpan(first, count).ContainsAnyExcept(owner);
    }

    private bool IsFree(int first, int count) => first > 0 && first + count < Pages && !_owners.AsSpan(first, count).ContainsAnyExcept(Owner.Nobody);

    // The highest hole in which it has room, as Linux does.
    private int FindHole(int count)
    {
        int free = 0;
        for (int page = Pages - 1; page > 0; page--)
        {
            free = _owners[page] == Owner.Nobody ? free + 1 : 0;
            if (free == count)
            {
                return page;
            }
        }

        return -1;
    }

    private void Set(int first, int count, Owner owner)
    {
        _owners.AsSpan(first, count).Fill(owner);
        _contents.AsSpan(first, count).Clear();
    }

    private int Count(Owner owner)
    {
        lock (_lock)
        {
            return _owners.Count(found => found == owner);
        }
    }

    private int PageOf(nint address) => (int)((address - s_bottom) / pageBytes);

    private int PagesOf(nint bytes) => (int)((bytes + pageBytes - 1) / pageBytes);

    private nint AddressOf(int page) => s_bottom + ((nint)page * pageBytes);
}
