using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Tracing;

namespace PixelPool.Diagnostics;

// Payloads that the base class only takes as an array of objects: that would be allocated, and serialized by reflection, which trimming breaks.
internal sealed unsafe partial class PixelPoolEventSource
{
    private const int MostValues = 7;

    /// <summary>Writes what there is, in this order. A real number is given as its bits.</summary>
    [NonEvent]
    private void Write(int id, string allocator, long number, long? number2 = null, string? text = null, string? text2 = null, string? text3 = null, string? text4 = null)
    {
        long second = number2.GetValueOrDefault();
        fixed (char* name = allocator, characters = text, characters2 = text2, characters3 = text3, characters4 = text4)
        {
            EventData* data = stackalloc EventData[MostValues];
            int count = Append(data, 0, name, allocator);
            data[count++] = Number(&number);
            if (number2 is not null)
            {
                data[count++] = Number(&second);
            }

            count = Append(data, count, characters, text);
            count = Append(data, count, characters2, text2);
            count = Append(data, count, characters3, text3);
            count = Append(data, count, characters4, text4);
            Write(id, count, data);
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

    // A string is its characters and the zero behind them.
    private static int Append(EventData* data, int count, char* characters, string? text)
    {
        if (text is null)
        {
            return count;
        }

        data[count] = new EventData { DataPointer = (nint)characters, Size = (text.Length + 1) * sizeof(char) };
        return count + 1;
    }

    private static EventData Number(void* eightBytes) => new() { DataPointer = (nint)eightBytes, Size = sizeof(long) };
}
