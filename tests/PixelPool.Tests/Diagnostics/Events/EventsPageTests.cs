using System.Diagnostics.Tracing;
using System.Reflection;
using PixelPool.Accounts;
using PixelPool.Diagnostics;
using PixelPool.Trimming;
using Keywords = PixelPool.Diagnostics.PixelPoolEventSource.Keywords;

namespace PixelPool.Tests.Diagnostics.Events;

/// <summary>The page for operators lists the events that exist, with ids, levels, keywords and values.</summary>
public class EventsPageTests
{
    [Fact]
    public void Page_lists_the_events()
    {
        IEnumerable<string> existing = typeof(PixelPoolEventSource).GetMethods(BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly)
            .Select(static method => (Method: method, Event: method.GetCustomAttribute<EventAttribute>()))
            .Where(static entry => entry.Event is not null)
            .OrderBy(static entry => entry.Event!.EventId)
            .Select(static entry => $"{entry.Event!.EventId} {entry.Method.Name} {entry.Event.Level} {Describe(entry.Event.Keywords)} "
                + string.Join(", ", entry.Method.GetParameters().Skip(1).Select(static parameter => parameter.Name)));
        Assert.Equal(existing, MarkdownTable.Read("Id").Select(static cells => string.Join(' ', cells.Take(5))));
    }

    [Fact]
    public void Page_names_every_reason_of_a_trim()
    {
        string[] trimmed = MarkdownTable.Read("Id").Single(static cells => cells[1] == "Trimmed");
        Assert.EndsWith("reason: " + string.Join(", ", Enum.GetNames<TrimReason>()) + ".", trimmed[5], StringComparison.Ordinal);
    }

    private static string Describe(EventKeywords keywords) =>
        $"{typeof(Keywords).GetFields().Single(field => (EventKeywords)field.GetRawConstantValue()! == keywords).Name} 0x{(long)keywords:x}";
}
