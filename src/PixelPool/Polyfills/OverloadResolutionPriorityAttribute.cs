#if !NET9_0_OR_GREATER
namespace System.Runtime.CompilerServices;

/// <summary>Known to the compiler by name; the base library has it since .NET 9.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Constructor | AttributeTargets.Property, Inherited = false)]
internal sealed class OverloadResolutionPriorityAttribute(int priority) : Attribute
{
    public int Priority { get; } = priority;
}
#endif
