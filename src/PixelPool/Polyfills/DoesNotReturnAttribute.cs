#if !NET
namespace System.Diagnostics.CodeAnalysis;

/// <summary>Known to the compiler by name.</summary>
[AttributeUsage(AttributeTargets.Method, Inherited = false)]
internal sealed class DoesNotReturnAttribute : Attribute;
#endif
