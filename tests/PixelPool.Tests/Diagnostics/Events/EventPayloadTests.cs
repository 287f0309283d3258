using System.Diagnostics.Tracing;
using System.Xml.Linq;
using PixelPool.Accounts;
using PixelPool.Diagnostics;
using PixelPool.Tests.Allocations;
using Keywords = PixelPool.Diagnostics.PixelPoolEventSource.Keywords;

namespace PixelPool.Tests.Diagnostics.Events;

/// <summary>Every event reaches listeners with its names and values, and costs nothing when nobody listens.</summary>
public sealed class EventPayloadTests
{
    private const string Name = nameof(EventPayloadTests);

    private static readonly string[] s_expected =
    [
        $"1 Rented Verbose Rents allocator={Name} bytes=4611686018427387904 source=Hit tag=request 17",
        $"2 Returned Verbose Rents allocator={Name} bytes=2 tag=request 17",
        $"3 Allocated Informational Memory allocator={Name} bytes=3",
        $"4 Trimmed Informational Memory allocator={Name} bytes=4 reason=Timer",
        $"5 Dropped Informational Memory allocator={Name} bytes=5 reason=Unpooled",
        $"6 Leaked Error Leaks allocator={Name} bytes=6 ageMilliseconds=6.5 place=Type.Method in a.cs:line 42 stack=  at a\n  at é holder=Owner tag=é",
        $"7 BudgetExceeded Warning Budget allocator={Name} requestedBytes=7 limitBytes=-1",
        $"8 Waited Informational Budget allocator={Name} bytes=8 milliseconds=0.125 outcome=Cancelled",
        $"9 SettingIgnored Warning Configuration name={Name} value= reason=not a number",
        $"10 LeakHandlerFailed Error Leaks allocator={Name} error=failed",
        $"11 ApplicationFailed Error Failures allocator={Name} member=ITimer.Change error=failed",
        $"12 ReturnedTwice Error Misuse allocator={Name} place=Type.Method stack=",
        $"13 WaitsLong Warning Budget allocator={Name} bytes=13 milliseconds=5000.5 place=Type.Method stack=  at a report=13 B wait tag=",
    ];

    public EventPayloadTests() => PixelPoolEventSource.Make();

    private static PixelPoolEventSource Log => EventRecorder.Source;

    [Fact]
    public void Every_event_has_its_names_and_values()
    {
        using EventRecorder recorder = new EventRecorder(Name).Enable();
        RaiseAll();
        Assert.Equal(s_expected, recorder.Events.Select(Describe));
    }

    [Theory]
    [InlineData(EventLevel.Error, EventKeywords.None, "Leaked LeakHandlerFailed ApplicationFailed ReturnedTwice")]
    [InlineData(EventLevel.Warning, EventKeywords.None, "Leaked BudgetExceeded SettingIgnored LeakHandlerFailed ApplicationFailed ReturnedTwice WaitsLong")]
    [InlineData(EventLevel.Informational, Keywords.Memory, "Allocated Trimmed Dropped")]
    [InlineData(EventLevel.Verbose, Keywords.Rents, "Rented Returned")]
    [InlineData(EventLevel.Verbose, Keywords.Leaks | Keywords.Configuration, "Leaked SettingIgnored LeakHandlerFailed")]
    [InlineData(EventLevel.Informational, Keywords.Budget, "BudgetExceeded Waited WaitsLong")]
    [InlineData(EventLevel.Error, Keywords.Failures, "ApplicationFailed")]
    [InlineData(EventLevel.Error, Keywords.Misuse, "ReturnedTwice")]
    public void Levels_and_keywords_choose(EventLevel level, EventKeywords keywords, string expected)
    {
        using EventRecorder recorder = new EventRecorder(Name).Enable(level, keywords);
        RaiseAll();
        Assert.Equal(expected, string.Join(' ', recorder.Events.Select(recorded => recorded.Name)));
    }

    [Fact]
    public void Events_can_be_enabled_and_disabled_while_the_process_runs()
    {
        using var recorder = new EventRecorder(Name);
        RaiseAll();
        Assert.Empty(recorder.Events);
        recorder.Enable();
        Assert.True(Log.IsEnabled(EventLevel.Verbose, Keywords.Rents));
        Log.Returned(Name, 1, string.Empty);
        recorder.Disable();
        Assert.False(Log.IsEnabled());
        RaiseAll();
        recorder.Enable(EventLevel.Informational, Keywords.Memory);
        Assert.False(Log.IsEnabled(EventLevel.Informational, Keywords.Rents));
        RaiseAll();
        Assert.Equal(["Returned 1", "Allocated 3", "Trimmed 4 Timer", "Dropped 5 Unpooled"], recorder.Lines);
    }

    [Fact]
    public void Events_that_nobody_listens_to_allocate_nothing()
    {
        var told = new RentTracking(Name, new PixelAllocatorOptions());
        Assert.False(Log.IsEnabled());
        Assert.Null(PixelPoolEventSource.Log);
        AllocationMeter.AssertAllocates(0, () =>
        {
            told.OnRented(1, "Hit", "request 17");
            told.OnReturned(2, "request 17");
            told.OnAllocated(3);
            told.OnTrimmed(4, TrimReason.Timer);
            told.OnDropped(5, "Unpooled");
            told.OnRefused(6, 7);
            told.OnWaited(8, TimeSpan.FromSeconds(1), "Granted");
            told.OnSecondReturn();
        });
        using EventRecorder recorder = new EventRecorder(Name).Enable();
        Assert.Same(Log, PixelPoolEventSource.Log);
        recorder.Disable();
        Assert.Null(PixelPoolEventSource.Log);
    }

    // Strictly checked: ids that differ from the calls, doubled names and unknown types are found here, not when a tool attaches.
    [Fact]
    public void Manifest_is_valid_and_says_what_the_events_are()
    {
        string? manifest = EventSource.GenerateManifest(typeof(PixelPoolEventSource), "PixelPool.dll", EventManifestOptions.Strict | EventManifestOptions.AllCultures);
        Assert.NotNull(manifest);
        Assert.Null(Log.ConstructionException);
        Assert.Equal("PixelPool", Log.Name);
        XElement root = XElement.Parse(manifest);
        XNamespace space = root.Name.Namespace;
        var payloads = root.Descendants(space + "template")
            .ToDictionary(template => (string)template.Attribute("tid")!, template => template.Elements().Select(data => (string)data.Attribute("name")!).ToArray());

        // Event 0 is the base class' own.
        IEnumerable<XElement> events = root.Descendants(space + "event").Where(entry => (int)entry.Attribute("value")! != 0);
        IEnumerable<string> declared = events.OrderBy(entry => (int)entry.Attribute("value")!).Select(entry => string.Join(' ', [
            (string)entry.Attribute("value")!,
            (string)entry.Attribute("symbol")!,
            ((string)entry.Attribute("level")!).Replace("win:", string.Empty, StringComparison.Ordinal),
            (string)entry.Attribute("keywords")!,
            .. payloads[(string)entry.Attribute("template")!],
        ]));
        Assert.Equal(s_expected.Select(NamesOnly), declared);
    }

    private static void RaiseAll()
    {
        Log.Rented(Name, 1L << 62, "Hit", "request 17");
        Log.Returned(Name, 2, "request 17");
        Log.Allocated(Name, 3);
        Log.Trimmed(Name, 4, "Timer");
        Log.Dropped(Name, 5, "Unpooled");
        Log.Leaked(Name, 6, 6.5, "Type.Method in a.cs:line 42", "  at a\n  at é", "Owner", "é");
        Log.BudgetExceeded(Name, 7, -1);
        Log.Waited(Name, 8, 0.125, "Cancelled");
        Log.SettingIgnored(Name, string.Empty, "not a number");
        Log.LeakHandlerFailed(Name, "failed");
        Log.ApplicationFailed(Name, "ITimer.Change", "failed");
        Log.ReturnedTwice(Name, "Type.Method", string.Empty);
        Log.WaitsLong(Name, 13, 5000.5, "Type.Method", "  at a", "13 B wait", string.Empty);
    }

    private static string Describe(RecordedEvent recorded)
    {
        EventKeywords keywords = recorded.Keywords & (EventKeywords)0xFFFF_FFFF;
        string group = typeof(Keywords).GetFields().Single(field => (EventKeywords)field.GetRawConstantValue()! == keywords).Name;
        IEnumerable<string> payload = recorded.PayloadNames.Zip(recorded.Payload, static (name, value) => FormattableString.Invariant($"{name}={value}"));
        return string.Join(' ', [$"{recorded.Id} {recorded.Name} {recorded.Level} {group}", .. payload]);
    }

    // What is before the "=" of each value.
    private static string NamesOnly(string line) =>
        string.Join(' ', line.Split(' ').Take(4).Concat(line.Split(' ').Skip(4).Where(part => part.Contains('=', StringComparison.Ordinal)).Select(part => part.Split('=')[0])));
}
