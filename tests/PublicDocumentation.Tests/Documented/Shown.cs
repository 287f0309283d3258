#pragma warning disable CS0067, CS0169, CS0414, CS0649, CA1823, IDE0044, IDE0051, IDE0052, IDE0060 // nothing here is used: it is only documented

namespace PublicDocumentation.Tests.Documented;

/// <summary>shown</summary>
public class Shown<T>
{
    /// <summary>shown</summary>
    public const int Constant = 1;

    /// <summary>shown</summary>
    protected internal volatile int ProtectedInternal;

    /// <summary>hidden</summary>
    internal volatile int Internal;

    /// <summary>hidden</summary>
    private protected int PrivateProtected;

    /// <summary>hidden</summary>
    private readonly int _private;

    /// <summary>hidden</summary>
    static Shown()
    {
    }

    /// <summary>shown</summary>
    protected Shown(T[][,] values, Dictionary<string, T>.Enumerator position)
    {
    }

    /// <summary>hidden</summary>
    internal Shown()
    {
    }

    /// <summary>shown</summary>
    public event EventHandler<List<T>>? Happened;

    /// <summary>hidden</summary>
    internal event EventHandler? HappenedInside;

    /// <summary>shown</summary>
    public int Property { get; private set; }

    /// <summary>shown</summary>
    public int PropertyToSet { internal get; init; }

    /// <summary>hidden</summary>
    internal int InternalProperty { get; set; }

    /// <summary>shown</summary>
    public ref readonly T this[in int index, params ReadOnlySpan<Nested<string>> others] => throw new NotSupportedException();

    /// <summary>hidden</summary>
    internal T this[string name] => throw new NotSupportedException();

    /// <summary>shown</summary>
    public static Shown<T> operator +(Shown<T> a, Shown<T>? b) => a;

    /// <summary>shown</summary>
    public static implicit operator int(Shown<T> value) => 1;

    /// <summary>shown</summary>
    public static explicit operator long(Shown<T> value) => 1;

    /// <summary>shown</summary>
    public static explicit operator checked short(Shown<T> value) => 1;

    /// <summary>shown</summary>
    public static explicit operator short(Shown<T> value) => 1;

    /// <summary>shown</summary>
    public unsafe void Pointers(int* a, void** b, nint c, delegate*<int, T, void> d, ref delegate* unmanaged<int, int> e, delegate*<int>[] f)
    {
    }

    /// <summary>shown</summary>
    public TResult Generic<TResult>(ref T a, out TResult b, (int, T?) c, dynamic d, int? e, Func<T, TResult, Task<Nested<T>.Deep>> f) =>
        throw new NotSupportedException();

    /// <summary>shown</summary>
    public virtual void Overloaded(in int a)
    {
    }

    /// <summary>hidden</summary>
    internal void Overloaded(int a, string b)
    {
    }

    /// <summary>hidden</summary>
    private void Overloaded(string a)
    {
    }

    /// <summary>shown</summary>
    public class Nested<TNested>
    {
        /// <summary>shown</summary>
        public enum Deep
        {
            /// <summary>shown</summary>
            Value,
        }

        /// <summary>shown</summary>
        public void Method(T a, TNested b, Nested<T>.Deep c)
        {
        }
    }

    /// <summary>shown</summary>
    protected class NestedForHeirs
    {
        /// <summary>shown</summary>
        public int Property { get; }
    }

    /// <summary>hidden</summary>
    private protected class NestedInside
    {
        /// <summary>hidden</summary>
        public void Method()
        {
        }
    }
}
