namespace PixelPool.Tests.Native.Linux;

/// <summary>Others in the process, who map memory wherever there is a hole.</summary>
internal sealed class SimulatedOthers(FakeKernel kernel, Random random)
{
    private readonly Queue<(nint Start, nint Bytes)> _held = new();

    public void Step()
    {
        nint bytes = random.Next(1, 20) * (nint)kernel.PageBytes;
        if (random.Next(2) == 0 && kernel.MapForOther(bytes) is not 0 and nint start)
        {
            _held.Enqueue((start, bytes));
        }

        if (_held.Count > 30)
        {
            Release();
        }
    }

    public void ReleaseAll()
    {
        while (_held.Count != 0)
        {
            Release();
        }
    }

    private void Release()
    {
        (nint start, nint bytes) = _held.Dequeue();
        kernel.UnmapOfOther(start, bytes);
    }
}
