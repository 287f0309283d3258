using System.Reflection;
using Microsoft.CodeAnalysis;

namespace PixelPool.Analyzers;

/// <summary>What the analyzers report. Each rule has a page in <c>docs/rules</c>.</summary>
internal static class Rules
{
    private const string Category = "PixelPool";

    private static readonly string s_pages =
        typeof(Rules).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(static metadata => metadata.Key == "RepositoryPagesUrl").Value + "/docs/rules/";

    public static readonly DiagnosticDescriptor NotDisposed = new(
        "PXP001",
        "What was rented is not disposed",
        "{0}: {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "A buffer, view, lease, pin, owner, stream or scope that nobody disposes holds its memory until a finalizer finds it.",
        s_pages + "PXP001.md");

    public static readonly DiagnosticDescriptor UsedAfterDispose = new(
        "PXP002",
        "Used after it was disposed",
        "'{0}' is already disposed here: '{1}' throws ObjectDisposedException",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "On every path to this line, the object is already disposed.",
        s_pages + "PXP002.md");

    public static readonly DiagnosticDescriptor DisposedTwice = new(
        "PXP003",
        "A lease is disposed twice",
        "The lease '{0}' is disposed twice: the allocator counts and reports the second Dispose",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "A lease is a struct: it cannot know that it was disposed. The allocator counts and reports every second Dispose.",
        s_pages + "PXP003.md");

    public static readonly DiagnosticDescriptor EscapingSpan = new(
        "PXP004",
        "An address of pixels leaves the delegate",
        "This address of pixels leaves the delegate: the memory is only valid until the delegate returns",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Accessors and spans cannot leave a delegate, but addresses taken from them can. Pin the buffer if an address must live longer.",
        s_pages + "PXP004.md");

    public static readonly DiagnosticDescriptor EscapingPointer = new(
        "PXP005",
        "A pointer is kept longer than its pin",
        "This pointer {0}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "The memory is held until the pin is disposed, no longer.",
        s_pages + "PXP005.md");

    public static readonly DiagnosticDescriptor CapturingDelegate = new(
        "PXP006",
        "A delegate captures what could be its state",
        "This delegate captures {0}, so every call allocates: pass it as the state of a static delegate",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        "Each call makes a new delegate, and usually a second object for what it captures. A static delegate with a state is made once.",
        s_pages + "PXP006.md");

    public static readonly DiagnosticDescriptor SynchronousRent = new(
        "PXP007",
        "Synchronous rent in an async method",
        "When the budget is exhausted, '{0}' throws or blocks its thread; '{1}' waits without one",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        "In an async method a rent can wait for its turn without blocking a thread.",
        s_pages + "PXP007.md");

    public static readonly DiagnosticDescriptor HandedOut = new(
        "PXP008",
        "Disposed before the caller gets it",
        "'{0}' is disposed at the end of its block: {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "A 'using' disposes its variable when the block is left, also if the variable is returned or stored there.",
        s_pages + "PXP008.md");

    public static readonly DiagnosticDescriptor UndisposedField = new(
        "PXP009",
        "Nothing disposes this field",
        "Nothing in '{0}' disposes '{1}': dispose this {2} in a Dispose method of '{0}'",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "The type rents for a private field, and no code disposes the field or hands it on. A finalizer has to find the memory.",
        s_pages + "PXP009.md");

    public static readonly DiagnosticDescriptor DroppedNativePixels = new(
        "PXP010",
        "The result of GiveToNative is dropped",
        "These pixels stay rented forever: they can only be released with the context that 'GiveToNative' returns",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "No finalizer returns memory that was given to native code. Whoever releases it needs the context.",
        s_pages + "PXP010.md");
}
