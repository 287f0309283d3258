#if !NET
namespace System.Diagnostics.CodeAnalysis;

/// <summary>Known to the compiler by name.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class NotNullWhenAttribute(bool returnValue) : Attribute
{
    public bool ReturnValue { get; } = returnValue;
}
#endif
