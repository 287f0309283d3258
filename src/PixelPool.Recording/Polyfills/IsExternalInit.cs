#if !NET
namespace System.Runtime.CompilerServices;

/// <summary>Known to the compiler by name: records have init accessors.</summary>
internal static class IsExternalInit;
#endif
