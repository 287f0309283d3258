using System.Runtime.CompilerServices;

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

    private void Trim(long idleBytes)
    {
        long before = _allocator.GetStatistics().ReleasedBytes;
        long released = idleBytes == 0 ? _allocator.Trim() : _allocator.TrimTo(idleBytes);
        PixelPoolStatistics statistics = _allocator.GetStatistics();
        Assert.Equal(released, statistics.ReleasedBytes - before);
        Assert.InRange(statistics.IdleBytes, LeastIdleBytes, LeastIdleBytes + idleBytes);
    }
}
