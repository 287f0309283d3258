using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Tracing;

namespace PixelPool.Diagnostics;

// Payloads that the base class only takes as an array of objects: that would be allocated, and serialized by reflection, which trimming breaks. A string is its
// characters and the zero behind them.
internal sealed unsafe partial class PixelPoolEventSource
{
    [NonEvent]
    private void Write(int id, string text, long number)
    {
        fixed (char* first = text)
        {
            EventData* data = stackalloc EventData[2];
            data[0] = Text(first, text);
            data[1] = Number(&number);
            Write(id, 2, data);
        }
    }

    [NonEvent]
    private void Write(int id, string text, long number, string text2)
    {
        fixed (char* first = text, second = text2)
        {
            EventData* data = stackalloc EventData[3];
            data[0] = Text(first, text);
            data[1] = Number(&number);
            data[2] = Text(second, text2);
            Write(id, 3, data);
        }
    }

    [NonEvent]
    private void Write(int id, string text, long number, string text2, string text3)
    {
        fixed (char* first = text, second = text2, third = text3)
        {
            EventData* data = stackalloc EventData[4];
            data[0] = Text(first, text);
            data[1] = Number(&number);
            data[2] = Text(second, text2);
            data[3] = Text(third, text3);
            Write(id, 4, data);
        }
    }

    [NonEvent]
    private void Write(int id, string text, long number, long number2)
    {
        fixed (char* first = text)
        {
            EventData* data = stackalloc EventData[3];
            data[0] = Text(first, text);
            data[1] = Number(&number);
            data[2] = Number(&number2);
            Write(id, 3, data);
        }
    }

    [NonEvent]
    private void Write(int id, string text, long number, double real, string text2)
    {
        fixed (char* first = text, second = text2)
        {
            EventData* data = stackalloc EventData[4];
            data[0] = Text(first, text);
            data[1] = Number(&number);
            data[2] = Number(&real);
            data[3] = Text(second, text2);
            Write(id, 4, data);
        }
    }

    [NonEvent]
    private void Write(int id, string text, long number, double real, string text2, string text3, string text4, string text5)
    {
        fixed (char* first = text, second = text2, third = text3, fourth = text4, fifth = text5)
        {
            EventData* data = stackalloc EventData[7];
            data[0] = Text(first, text);
            data[1] = Number(&number);
            data[2] = Number(&real);
            data[3] = Text(second, text2);
            data[4] = Text(third, text3);
            data[5] = Text(fourth, text4);
            data[6] = Text(fifth, text5);
            Write(id, 7, data);
        }
    }

#if NET
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Only strings and numbers are written: no object whose properties could be trimmed.")]
#endif
    [NonEvent]
    private void Write(int id, int count, EventData* data)
    {
        try
        {
            WriteEventCore(id, count, data);
        }
        catch (OutOfMemoryException)
        {
            // Those who listen miss an event. What it tells of goes on.
        }
    }

    private static EventData Text(char* characters, string text) =>
        new() { DataPointer = (nint)characters, Size = (text.Length + 1) * sizeof(char) };

    private static EventData Number(void* eightBytes) => new() { DataPointer = (nint)eightBytes, Size = sizeof(long) };
}
