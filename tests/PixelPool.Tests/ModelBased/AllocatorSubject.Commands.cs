using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.ModelBased;

// What the commands do.
internal sealed partial class AllocatorSubject
{
    private const int MostRents = 16;
    private const int MostScopes = 6;
    private const int MostEnded = 4;

    public override void Do(Command<AllocatorAct> command)
    {
        switch (command.Act)
        {
            case AllocatorAct.Rent when _memories.Count < MostRents:
                Rent(command);
                break;
            case AllocatorAct.Charge when _memories.Count < MostRents:
                Charge(command);
                break;
            case AllocatorAct.Return when _handles.Count != 0:
                Return([_handles[command.Which % _handles.Count]]);
                break;
            case AllocatorAct.ReturnAgain when _ended.Count != 0:
                ReturnAgain(_ended[command.Which % _ended.Count]);
                break;
            case AllocatorAct.Forget when FindForgettable(command.Which) is var index and >= 0:
                Forget(index);
                Forgotten.Collect(_allocator, _leaks);
                break;
            case AllocatorAct.View when _handles.Count is > 0 and < 3 * MostRents:
                Add(_handles[command.Which % _handles.Count].TryView(command.Size, command.Size / 7));
                break;
            case AllocatorAct.Pin when _handles.Count is > 0 and < 3 * MostRents:
                Add(_handles[command.Which % _handles.Count].TryPin());
                break;
            case AllocatorAct.Write when _handles.FindAll(static handle => handle.IsWhole) is { Count: > 0 } whole:
                Write(whole[command.Which % whole.Count]);
                break;
            case AllocatorAct.OpenScope when _scopes.Count < MostScopes:
                Open(command);
                break;
            case AllocatorAct.CloseScope when _scopes.FindAll(static scope => !scope.IsClosed) is { Count: > 0 } open:
                Close(open[command.Which % open.Count]);
                break;
            case AllocatorAct.Trim:
                Trim(command.Form % 2 == 0 ? 0 : command.Size);
                break;
            case AllocatorAct.PassTime:
                _system.Time.Advance(TimeSpan.FromSeconds(command.Form));
                break;
            case AllocatorAct.RunShort:
                _system.Pressure.High = true;
                _system.Time.Advance(TimeSpan.FromMinutes(1));
                _system.Pressure.High = false;
                Assert.Equal(LeastIdleBytes, _allocator.GetStatistics().IdleBytes);
                break;
            case AllocatorAct.Refuse:
                _kernel?.FailAt(1 + (command.Which % 8), later: command.Form % 6 == 0);
                _system.Source.FailAt(1 + (command.Which % 8), 1 + (command.Form % 6));
                _system.Source.FailMoveAt(1 + command.Form);
                break;
        }
    }

    private long Failures => _kernel is null ? _system.Source.Failures : _kernel.Refused is null ? 0 : 1;

    private void Heal()
    {
        _kernel?.Heal();
        _system.Source.Heal();
    }

    private KnownScope? FindOpenScope(int which)
    {
        List<KnownScope> open = _scopes.FindAll(static scope => !scope.IsClosed);
        int index = which % (open.Count + 1);
        return index == open.Count ? null : open[index];
    }

    private void Rent(Command<AllocatorAct> command)
    {
        KnownScope? scope = FindOpenScope(command.Which / 2);
        int kind = command.Form % 3;
        int rows = kind == 2 ? 1 : 1 + (command.Size % (command.Form < Commands.Forms / 2 ? 61 : 3));
        int pixelBytes = kind switch { 0 => sizeof(uint), 1 => Unsafe.SizeOf<Rgb24>(), _ => sizeof(ushort) };
        int width = Math.Max(1, command.Size / rows / pixelBytes);
        AllocationOptions options = (command.Form / 3 % 2 == 0 ? AllocationOptions.None : AllocationOptions.Clean)
            | (command.Form / 6 % 2 == 0 ? AllocationOptions.None : AllocationOptions.Contiguous);
        bool throws = command.Which % 2 == 0;
        bool mayFail = _kernel is not null && _kernel.Refused is not null;
        long failures = Failures;
        Handle? handle;
        try
        {
            handle = kind switch
            {
                0 => RentBuffer(scope, width, rows, options, throws),
                1 => RentLease(scope, width, rows, options, throws),
                _ => RentOwner(scope, width, options, throws),
            };
        }
        catch (PixelBudgetExceededException)
        {
            handle = null;
        }
        catch (OutOfMemoryException) when (mayFail || Failures > failures)
        {
            return;
        }

        long most = kind switch
        {
            0 => _allocator.GetHeldBytes<uint>(width, rows, options),
            1 => _allocator.GetHeldBytes<Rgb24>(width, rows, options),
            _ => _allocator.GetHeldBytes<ushort>(width, 1, options | AllocationOptions.Contiguous),
        };
        if (handle is null)
        {
            Assert.False(Fits(scope, most), "refused, although it fits");
            _refusals++;
            return;
        }

        int alignment = kind == 2 ? 1 : _alignment;
        int stride = ((width * pixelBytes) + alignment - 1) / alignment * alignment;
        AssertPlausible(handle.Memory, stride, rows, kind == 2 || (options & AllocationOptions.Contiguous) != 0, most);
        _rents++;
        Add(handle);
        if ((options & AllocationOptions.Clean) != 0)
        {
            handle.AssertClean();
        }

        Write(handle);
    }

    private BufferHandle<uint>? RentBuffer(KnownScope? scope, int width, int rows, AllocationOptions options, bool throws)
    {
        PixelBuffer<uint>? buffer;
        if (throws)
        {
            buffer = scope is null ? _allocator.Rent<uint>(width, rows, options) : scope.Scope.Rent<uint>(width, rows, options);
        }
        else
        {
            bool rented = scope is null ? _allocator.TryRent(width, rows, out buffer, options) : scope.Scope.TryRent(width, rows, out buffer, options);
            Assert.Equal(rented, buffer is not null);
        }

        return buffer is null ? null : new BufferHandle<uint>(buffer, Know(buffer.HeldBytes, scope, AddressOf(buffer.AsLease())), 0, isView: false) { Scope = scope };
    }

    private LeaseHandle<Rgb24>? RentLease(KnownScope? scope, int width, int rows, AllocationOptions options, bool throws)
    {
        PixelLease<Rgb24> lease;
        if (throws)
        {
            lease = scope is null ? _allocator.Lease<Rgb24>(width, rows, options) : scope.Scope.Lease<Rgb24>(width, rows, options);
        }
        else
        {
            bool rented = scope is null ? _allocator.TryLease(width, rows, out lease, options) : scope.Scope.TryLease(width, rows, out lease, options);
            if (!rented)
            {
                return null;
            }
        }

        return new LeaseHandle<Rgb24>(lease, Know(lease.HeldBytes, scope, AddressOf(lease))) { Scope = scope };
    }

    // What an owner holds nobody says: it is what the account of rented bytes grows by.
    private unsafe OwnerHandle<ushort>? RentOwner(KnownScope? scope, int length, AllocationOptions options, bool throws)
    {
        long before = _allocator.GetStatistics().RentedBytes;
        IMemoryOwner<ushort>? owner;
        if (throws)
        {
            owner = scope is null ? _allocator.Allocate<ushort>(length, options) : scope.Scope.Allocate<ushort>(length, options);
        }
        else
        {
            bool rented = scope is null ? _allocator.TryAllocate(length, out owner, options) : scope.Scope.TryAllocate(length, out owner, options);
            Assert.Equal(rented, owner is not null);
        }

        if (owner is null)
        {
            return null;
        }

        using MemoryHandle pin = owner.Memory.Pin();
        return new OwnerHandle<ushort>(owner, Know(_allocator.GetStatistics().RentedBytes - before, scope, (nint)pin.Pointer)) { Scope = scope };
    }

    private static nint AddressOf<TPixel>(PixelLease<TPixel> lease)
        where TPixel : unmanaged =>
        lease.IsContiguous ? lease.DangerousGetAddress() : 0;

    private RentedMemory Know(long heldBytes, KnownScope? scope, nint address) =>
        new(heldBytes, scope?.Payer, HasSlabs && address != 0 && heldBytes <= Block / 2 ? _system.Source.StartOf(address) : 0) { Scope = scope };

    // By the layout that is documented: an array or a piece, whole blocks, or from the system what is needed and no more.
    private void AssertPlausible(RentedMemory memory, long stride, int rows, bool contiguous, long most)
    {
        long total = stride * rows;
        long held = memory.HeldBytes;
        if (total <= _smallBytes)
        {
            Assert.InRange(held, total, most);
            return;
        }

        long rowsPerBlock = Block / stride;
        bool inOnePiece = total > Block && (contiguous || rowsPerBlock == 0);
        long blocks = inOnePiece ? (total + Block - 1) / Block : (rows + rowsPerBlock - 1) / rowsPerBlock;

        // Without a budget a run may be longer by an eighth.
        bool isRun = inOnePiece && held % Block == 0 && held >= blocks * Block && held <= (HasBudget || memory.Payer is not null ? most : most * 9 / 8);
        Assert.True(held == blocks * Block || held == total || isRun, $"{held} bytes are held for {rows} rows of {stride} bytes");
    }

    private void Charge(Command<AllocatorAct> command)
    {
        KnownScope? scope = FindOpenScope(command.Which);
        long bytes = Math.Max(1, command.Size);
        bool fits = Fits(scope, bytes);
        try
        {
            ExternalCharge charge = scope is null ? _allocator.ChargeExternal(bytes) : scope.Scope.ChargeExternal(bytes);
            Assert.True(fits, "charged, although it does not fit");
            Add(new ChargeHandle(charge, new RentedMemory(bytes, scope?.Payer, 0) { IsExternal = true }) { Scope = scope });
        }
        catch (PixelBudgetExceededException)
        {
            Assert.False(fits, "refused, although it fits");
            _refusals++;
        }
    }

    private void Add(Handle? handle)
    {
        if (handle is null)
        {
            return;
        }

        if (handle.Memory.Handles.Count == 0)
        {
            _memories.Add(handle.Memory);
        }

        handle.Memory.Handles.Add(handle);
        _handles.Add(handle);
    }

    private void Write(Handle whole)
    {
        whole.Memory.Cookie = _cookie++;
        whole.Fill();
    }

    private void Return(List<Handle> handles)
    {
        foreach (Handle handle in handles)
        {
            handle.Dispose();
            Remove(handle);
        }
    }

    private void Remove(Handle handle)
    {
        _handles.Remove(handle);
        handle.Memory.Handles.Remove(handle);
        if (handle.Memory.Handles.Count == 0)
        {
            _memories.Remove(handle.Memory);
        }

        _ended.Add(handle);
        if (_ended.Count > MostEnded)
        {
            _ended.RemoveAt(0);
        }
    }

    private void ReturnAgain(Handle ended)
    {
        ended.AssertEnded();
        ended.Dispose();
        _secondReturns += ended.CountsSecondReturn ? 1 : 0;
    }

    // What an open scope knows is not forgotten.
    private int FindForgettable(int which)
    {
        int index = _memories.Count == 0 ? -1 : which % _memories.Count;
        return index >= 0 && _memories[index] is { IsExternal: false, Scope: null or { IsClosed: true } } ? index : -1;
    }

    // Nothing that is left on the stack of the caller may hold it, nor a lease that was returned: its guard may be that of this one now.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Forget(int index)
    {
        RentedMemory memory = _memories[index];
        _leaks++;
        _leakedBytes += memory.HeldBytes;
        _memories.RemoveAt(index);
        _handles.RemoveAll(handle => handle.Memory == memory);
        _ended.Clear();
    }

    private void Open(Command<AllocatorAct> command)
    {
        KnownScope? outer = FindOpenScope(command.Which);
        long bytes = Math.Max(1, command.Size);
        switch (command.Form % 3)
        {
            case 0:
                _scopes.Add(new KnownScope(new RentScope(_allocator), Outer: null, LimitBytes: null, IsReservation: false));
                break;
            case 1:
                RentScope scope = outer is null ? _allocator.CreateScope(bytes) : outer.Scope.CreateScope(bytes);
                _scopes.Add(new KnownScope(scope, outer, bytes, IsReservation: false));
                break;
            default:
                Reserve(outer, bytes);
                break;
        }
    }

    private void Reserve(KnownScope? outer, long bytes)
    {
        bool fits = Fits(outer, bytes);
        try
        {
            RentScope scope = outer is null ? _allocator.ReserveScope(bytes) : outer.Scope.ReserveScope(bytes);
            Assert.True(fits, "reserved, although it does not fit");
            _scopes.Add(new KnownScope(scope, outer, bytes, IsReservation: true));
        }
        catch (PixelBudgetExceededException)
        {
            Assert.False(fits, "refused, although it fits");
            _refusals++;
        }
    }

    // With everything that was rented through it, and the scopes within it. Views and pins stay.
    private void Close(KnownScope scope)
    {
        scope.Scope.Dispose();
        foreach (KnownScope within in _scopes.FindAll(other => other.IsWithin(scope)))
        {
            within.IsClosed = true;
            _handles.FindAll(handle => handle.Scope == within).ForEach(Remove);
        }

        // Those within before those around them.
        for (int i = _scopes.Count - 1; i >= 0; i--)
        {
            KnownScope last = _scopes[i];
            if (last.IsClosed && !Inner(last).Any() && _memories.TrueForAll(memory => memory.Payer != last))
            {
                _scopes.RemoveAt(i);
            }
        }
    }

    private void Trim(long idleBytes)
    {
        long before = _allocator.GetStatistics().ReleasedBytes;
        long released = idleBytes == 0 ? _allocator.Trim() : _allocator.TrimTo(idleBytes);
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal(released, statistics.ReleasedBytes - before);
        Assert.InRange(statistics.IdleBytes, LeastIdleBytes, LeastIdleBytes + idleBytes);
    }
}
