namespace PixelPool.Tests.ModelBased;

/// <summary>What is done to a stream.</summary>
internal enum StreamAct
{
    Read,
    Write,
    ReadByte,
    WriteByte,
    Lend,
    Seek,
    SetPosition,
    SetLength,
    Copy,
    Refuse,
    Trim,
    Reopen,
}
