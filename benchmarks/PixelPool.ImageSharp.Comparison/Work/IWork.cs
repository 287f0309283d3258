namespace ImageSharp.Comparison.Work;

/// <summary>Something that is measured.</summary>
internal interface IWork
{
    /// <summary>Of all that came out, after <see cref="Run"/>.</summary>
    string Hash { get; }

    /// <summary>Lets the code be compiled.</summary>
    void WarmUp();

    /// <summary>What it took, by what was done.</summary>
    Dictionary<string, Cost> Run();
}
