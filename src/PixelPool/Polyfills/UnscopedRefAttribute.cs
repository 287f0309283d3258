#if !NET
namespace System.Diagnostics.CodeAnalysis;

/// <summary>Known to the compiler by name.</summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Property | AttributeTargets.Parameter, Inherited = false)]
internal sealed class UnscopedRefAttribute : Attribute;
#endif
