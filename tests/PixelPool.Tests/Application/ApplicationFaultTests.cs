using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Application;

/// <summary>
/// The same work again and again, in which each call of what the application supplies throws once: whoever called may hear of it, but nothing is lost, no
/// budget stays charged, nobody waits forever, and idle memory still goes back.
/// </summary>
[Trait("Category", "Long")]
public class ApplicationFaultTests
{
    private const int MostCalls = 2000;

    // Collections make calls, too, and come when they like: a round with fewer calls is not the last one.
    private const int RoundsWithoutCall = 20;

    [Theory]
    [InlineData(SmallBufferStrategy.ArrayPool, LeakTracking.Full)]
    [InlineData(SmallBufferStrategy.ArrayPool, LeakTracking.Sampled)]
    [InlineData(SmallBufferStrategy.Slab, LeakTracking.Off)]
    public void Nothing_is_lost_wherever_the_application_throws(SmallBufferStrategy smallBuffers, LeakTracking leakTracking)
    {
        // With an empty heap collections are fast: there are some for each call.
        string output = ChildProcess.Run(ThrowFromEachCall, [smallBuffers.ToString(), leakTracking.ToString()]);
        Assert.Contains(" calls: ", output, StringComparison.Ordinal);
    }

    private static void ThrowFromEachCall(string[] arguments)
    {
        SmallBufferStrategy smallBuffers = Enum.Parse<SmallBufferStrategy>(arguments[0]);
        LeakTracking leakTracking = Enum.Parse<LeakTracking>(arguments[1]);
        var members = new SortedSet<string>(StringComparer.Ordinal);
        int failing = 1;
        int withoutCall = 0;
        for (; failing < MostCalls && withoutCall < RoundsWithoutCall; failing++)
        {
            var fault = new ApplicationFault(failing);
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
