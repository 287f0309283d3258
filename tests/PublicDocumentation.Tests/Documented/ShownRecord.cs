namespace PublicDocumentation.Tests.Documented;

/// <summary>shown</summary>
public readonly record struct ShownRecord(int Value) : IShown<List<int>>
{
    /// <summary>hidden</summary>
    static List<int> IShown<List<int>>.Create() => [];

    /// <summary>hidden</summary>
    void IShown<List<int>>.Method(List<int> a)
    {
    }
}
