namespace PixelPool;

/// <summary>A setting of the process that is not used, because of what it says or because there is no such setting.</summary>
/// <seealso cref="PixelAllocatorOptions.IgnoredSettings"/>
public sealed class IgnoredSetting
{
    internal IgnoredSetting(string name, string value, string reason)
    {
        Name = name;
        Value = value;
        Reason = reason;
    }

    /// <summary>The environment variable, such as <c>PIXELPOOL_BLOCK_BYTES</c>, or the <see cref="AppContext"/> value, such as <c>PixelPool.BlockBytes</c>.</summary>
    public string Name { get; }

    /// <summary>What it says.</summary>
    public string Value { get; }

    /// <summary>Why it is not used: a sentence.</summary>
    public string Reason { get; }

    /// <summary>All of it in one line.</summary>
    public override string ToString() => $"{Name}={Value} is ignored. {Reason}";
}
