using PixelPool.Accounts;

namespace PixelPool.Tests.Trimming;

/// <summary>Remembers what of the application failed.</summary>
internal sealed class RecordingListener : IMemoryListener
{
    public List<(string Member, Exception Failure)> Failures { get; } = [];

    public int SampleInterval => int.MaxValue;

    public void OnAllocated(long bytes)
    {
    }

    public void OnTrimmed(long bytes, TrimReason reason)
    {
    }

    public void OnDropped(long bytes, string reason)
    {
    }

    public void OnRefused(long bytes, long limitBytes)
    {
    }

    public void OnWaited(long bytes, TimeSpan waited, string outcome)
    {
    }

    public void OnSecondReturn()
    {
    }

    public string DescribeHolders(object budget) => string.Empty;

    public void OnApplicationFailed(string member, Exception failure) => Failures.Add((member, failure));
}
