using System.Buffers;
using System.Runtime.CompilerServices;
using PixelPool.Tests.Buffers;

namespace PixelPool.Tests.ModelBased;

// Rents, and what they must hold.
internal sealed partial class AllocatorSubject
{
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
        bool isRun = inOnePiece && held % Block == 0 && held >= blocks * Block && held <= most;
        Assert.True(held == blocks * Block || held == total || isRun, $"{held} bytes are held for {rows} rows of {stride} bytes");
    }
}
