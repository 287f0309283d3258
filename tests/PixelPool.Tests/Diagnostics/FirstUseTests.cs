using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;
using PixelPool.Tests.Diagnostics.Events;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Diagnostics;

/// <summary>What listens may use PixelPool as soon as it hears of it, while the first allocator of the process is made. In processes of their own.</summary>
[Trait("Category", "Long")]
public class FirstUseTests
{
    // Only a failure reaches it.
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

#if !LIBRARY_NETSTANDARD // that build has no metrics
    [Fact]
    public void A_listener_of_metrics_uses_the_shared_allocator() => ChildProcess.Run(ListenToMetrics);
#endif

    [Fact]
    public void A_listener_of_events_rents_here_and_on_another_thread() => ChildProcess.Run(ListenToEvents);

    [Fact]
    public void What_a_listener_throws_that_cannot_say_what_it_is_ends_no_allocator() => ChildProcess.Run(ThrowEndlessly);

    [Fact]
    public void Who_is_interrupted_while_listeners_hear_of_the_first_allocator_keeps_the_interrupt_and_the_next_one_tells_them() => ChildProcess.Run(InterruptFirst);

#if !LIBRARY_NETSTANDARD
    private static void ListenToMetrics()
    {
        var names = new List<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, _) =>
        {
            if (instrument.Meter.Name == "PixelPool")
            {
                names.Add(PixelAllocator.Shared.Name);
                names.Add(Task.Run(static () => PixelAllocator.Shared.Name).WaitAsync(s_limit).GetAwaiter().GetResult());
            }
        };
        listener.Start();
        PixelAllocator.Shared.Rent<byte>(10, 10).Dispose();
        Assert.NotEmpty(names);
        Assert.All(names, static name => Assert.Equal("Shared", name));
    }
#endif

    private static void ListenToEvents()
    {
        using var listener = new RentingListener();
        using PixelAllocator allocator = PixelAllocator.Create();
        Assert.Equal("rented", listener.Result);
    }

    private static void ThrowEndlessly()
    {
        using var listener = new ThrowingListener();
        PixelAllocator.Create().Dispose();
        using PixelAllocator allocator = PixelAllocator.Create();
        allocator.Rent<byte>(4096, 4096).Dispose();
        Assert.Equal(0, allocator.GetStatistics().RentedBytes);
    }

    private sealed class ThrowingListener : EventListener
    {
        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "PixelPool")
            {
                throw new EndlessException();
            }
        }
    }

    private static void InterruptFirst()
    {
        using var isInside = new ManualResetEventSlim();
        using var goesOn = new ManualResetEventSlim();
        HoldingListener.OnCreated = () =>
        {
            isInside.Set();
            goesOn.Wait();
        };
        var holding = new Thread(static () => new HoldingListener().Dispose());
        holding.Start();
        Assert.True(isInside.Wait(s_limit));
        Exception? thrown = null;
        bool keptInterrupt = false;
        var first = new Thread(() =>
        {
            thrown = Record.Exception(static () => PixelAllocator.Create().Dispose());
            keptInterrupt = Record.Exception(static () => Thread.CurrentThread.Join(0)) is ThreadInterruptedException;
        });
        first.Start();
        Assert.True(SpinWait.SpinUntil(() => (first.ThreadState & ThreadState.WaitSleepJoin) != 0, s_limit));
        first.Interrupt();
        goesOn.Set();
        Assert.True(first.Join(s_limit));
        Assert.Null(thrown);
        Assert.True(keptInterrupt);
        using EventRecorder recorder = new EventRecorder("next").Enable();
        using var allocator = PixelAllocator.Create(new PixelAllocatorOptions { Name = "next" });
        allocator.Rent<byte>(4096, 4096).Dispose();
        Assert.Contains($"Allocated {4096 * 4096}", recorder.Lines);
    }

    // While it hears of sources that there are, others wait for it.
    private sealed class HoldingListener : EventListener
    {
        public static Action? OnCreated { get; set; }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            OnCreated?.Invoke();
            OnCreated = null;
        }
    }

    private sealed class RentingListener : EventListener
    {
        public string? Result { get; private set; }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name != "PixelPool")
            {
                return;
            }

            try
            {
                using PixelAllocator allocator = PixelAllocator.Create();
                for (int i = 0; i < 100; i++)
                {
                    allocator.Rent<byte>(10, 10).Dispose();
                    allocator.Rent<byte>(4096, 4096).Dispose();
                }

                allocator.Trim();
                Assert.Equal((0L, 0L), (allocator.GetStatistics().RentedBytes, allocator.GetStatistics().IdleBytes));
                Task.Run(static () => PixelAllocator.Shared.Rent<byte>(4096, 4096).Dispose()).WaitAsync(s_limit).GetAwaiter().GetResult();
                Result = "rented";
            }
            catch (Exception e)
            {
                Result = e.ToString();
            }
        }
    }
}
