namespace PublicDocumentation.Tests.Documented;

/// <summary>hidden</summary>
internal static class Hidden
{
    /// <summary>hidden</summary>
    public interface IInside
    {
        /// <summary>hidden</summary>
        void Method(int a);
    }

    /// <summary>hidden</summary>
    public static void Method(int a)
    {
    }
}
