namespace PixelPool.Tests.Pooling.Runs;

/// <summary>What the system of a test is like.</summary>
public enum MemoryKind
{
    /// <summary>A fake whose pieces go back as they were got.</summary>
    Whole,

    /// <summary>A fake whose pages can be freed and moved.</summary>
    Divisible,

    /// <summary>The system the tests run on.</summary>
    Real,
}
