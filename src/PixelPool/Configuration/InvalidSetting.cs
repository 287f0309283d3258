namespace PixelPool;

/// <summary>A setting of the process that is ignored, because its value is invalid or because there is no such setting.</summary>
/// <seealso cref="PixelAllocatorOptions.IgnoredSettings"/>
public sealed class InvalidSetting
{
    internal InvalidSetting(string name, string value, string reason)
    {
        Name = name;
        Value = value;
        Reason = reason;
    }

    /// <summary>The environment variable, such as <c>PIXELPOOL_BLOCK_BYTES</c>, or the <see cref="AppContext"/> value, such as <c>PixelPool.BlockBytes</c>.</summary>
    public string Name { get; }

    /// <summary>The value.</summary>
    public string Value { get; }

    /// <summary>Why it is ignored, as a sentence.</summary>
    public string Reason { get; }

    /// <summary>All of it in one line.</summary>
    public override string ToString() => $"{Name}={Value} is ignored. {Reason}";
}
