#pragma warning disable CA1822, CA1034 // what an extension is in metadata surprises these

namespace PublicDocumentation.Tests.Documented;

/// <summary>shown</summary>
public static class ShownExtensions
{
    /// <summary>shown</summary>
    extension<T>(List<T> list)
    {
        /// <summary>shown</summary>
        public T Middle => list[list.Count / 2];

        /// <summary>shown</summary>
        public TResult Convert<TResult>(Func<T, TResult> convert) => convert(list[0]);

        /// <summary>hidden</summary>
        internal void Inside()
        {
        }
    }

    /// <summary>shown</summary>
    public static int Classic<T>(this Shown<T> shown) => shown.Property;
}
