using System.Buffers.Binary;
using System.Text;

namespace ThumbnailService.Tests.Telemetry;

/// <summary>A message of Protocol Buffers, as far as a test has to look into one.</summary>
internal sealed class ProtobufMessage
{
    private readonly List<(int Field, ReadOnlyMemory<byte> Bytes)> _parts = [];
    private readonly List<(int Field, ulong Bits)> _fixed = [];

    public ProtobufMessage(ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            ulong tag = ReadVarint(ref bytes);
            int field = (int)(tag >> 3);
            switch (tag & 7)
            {
                case 0:
                    ReadVarint(ref bytes);
                    break;
                case 1:
                    _fixed.Add((field, BinaryPrimitives.ReadUInt64LittleEndian(Take(ref bytes, 8).Span)));
                    break;
                case 2:
                    _parts.Add((field, Take(ref bytes, (int)ReadVarint(ref bytes))));
                    break;
                case 5:
                    Take(ref bytes, 4);
                    break;
                default:
                    throw new InvalidDataException($"field {field} has the unknown wire type {tag & 7}");
            }
        }
    }

    public IEnumerable<ProtobufMessage> Messages(int field) =>
        _parts.Where(part => part.Field == field).Select(static part => new ProtobufMessage(part.Bytes));

    /// <summary>Empty when it is not there, as Protocol Buffers want it.</summary>
    public string Text(int field) => Encoding.UTF8.GetString(_parts.Find(part => part.Field == field).Bytes.Span);

    public ulong? Fixed64(int field) => _fixed.Exists(part => part.Field == field) ? _fixed.Find(part => part.Field == field).Bits : null;

    private static ReadOnlyMemory<byte> Take(ref ReadOnlyMemory<byte> bytes, int count)
    {
        ReadOnlyMemory<byte> taken = bytes[..count];
        bytes = bytes[count..];
        return taken;
    }

    private static ulong ReadVarint(ref ReadOnlyMemory<byte> bytes)
    {
        ulong value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte next = Take(ref bytes, 1).Span[0];
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
            {
                return value;
            }
        }
    }
}
