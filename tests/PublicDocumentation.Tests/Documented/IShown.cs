namespace PublicDocumentation.Tests.Documented;

/// <summary>shown</summary>
public interface IShown<T>
{
    /// <summary>shown</summary>
    static abstract T Create();

    /// <summary>shown</summary>
    void Method(T a);
}
