using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Application;

/// <summary>
/// The same work again and again, in which each call of what the application supplies throws once, or the thread is interrupted there: whoever called may hear of it, but nothing is lost, no
/// budget stays charged, nobody waits forever, and idle memory still goes back.
/// </summary>
[Trait("Category", "Long")]
public class ApplicationFaultTests
{
    private const int MostCalls = 2000;

    // Collections make calls, too, and come when they like: a round with fewer calls is not the last one.
    private const int RoundsWithoutCall = 20;

    [Theory]
    [InlineData(ApplicationFaultKind.Throws, SmallBufferStrategy.ArrayPool, LeakTracking.Full)]
    [InlineData(ApplicationFaultKind.Throws, SmallBufferStrategy.ArrayPool, LeakTracking.Sampled)]
    [InlineData(ApplicationFaultKind.Throws, SmallBufferStrategy.Slab, LeakTracking.Off)]
    [InlineData(ApplicationFaultKind.IsInterrupted, SmallBufferStrategy.ArrayPool, LeakTracking.Full)]
    [InlineData(ApplicationFaultKind.IsInterrupted, SmallBufferStrategy.Slab, LeakTracking.Off)]
    [InlineData(ApplicationFaultKind.LeavesInterrupt, SmallBufferStrategy.ArrayPool, LeakTracking.Full)]
    [InlineData(ApplicationFaultKind.LeavesInterrupt, SmallBufferStrategy.Slab, LeakTracking.Off)]
    public void Nothing_is_lost_wherever_the_application_fails(ApplicationFaultKind kind, SmallBufferStrategy smallBuffers, LeakTracking leakTracking)
    {
        // With an empty heap collections are fast: there are some for each call.
        string output = ChildProcess.Run(FailInEachCall, [kind.ToString(), smallBuffers.ToString(), leakTracking.ToString()]);
        Assert.Contains(" calls: ", output, StringComparison.Ordinal);
    }

    private static void FailInEachCall(string[] arguments)
    {
        ApplicationFaultKind kind = Enum.Parse<ApplicationFaultKind>(arguments[0]);
        SmallBufferStrategy smallBuffers = Enum.Parse<SmallBufferStrategy>(arguments[1]);
        LeakTracking leakTracking = Enum.Parse<LeakTracking>(arguments[2]);
        var members = new SortedSet<string>(StringComparer.Ordinal);
        int failing = 1;
        int withoutCall = 0;
        for (; failing < MostCalls && withoutCall < RoundsWithoutCall; failing++)
        {
            var fault = new ApplicationFault(failing, kind: kind);
            try
            {
                new FaultyWork(fault, smallBuffers, leakTracking).Do();
            }
            catch (Exception e) when (e is not ApplicationFaultException)
            {
                throw new InvalidOperationException($"call {failing}, {fault.Thrown}: {e.Message}", e);
            }

            if (fault.Thrown is null)
            {
                withoutCall++;
                continue;
            }

            withoutCall = 0;
            members.Add(fault.Thrown);
        }

        failing -= withoutCall;
        Console.WriteLine($"{failing - 1} calls: {string.Join(", ", members)}");
        Assert.InRange(failing, 50, MostCalls - 1);
        Assert.Superset(
            new HashSet<string>(
                smallBuffers == SmallBufferStrategy.ArrayPool
                    ? ["CreateTimer", "GetTimestamp", "ITimer.Change", "ITimer.Dispose", "ArrayPool.Rent", "ArrayPool.Return", "MemoryPressureSource.IsHigh", "delegate", "stream"]
                    : ["CreateTimer", "GetTimestamp", "ITimer.Change", "ITimer.Dispose", "MemoryPressureSource.GetAvailableBytes", "delegate"],
                StringComparer.Ordinal),
            new HashSet<string>(members, StringComparer.Ordinal));
    }
}
