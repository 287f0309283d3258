using Microsoft.CodeAnalysis;

namespace PixelPool.Analyzers;

/// <summary>What the analyzers report. Each rule has a page in <c>docs/rules</c>.</summary>
internal static class Rules
{
    private const string Category = "PixelPool";
    private const string Pages = "https://github.com/pixelpool/pixelpool/blob/main/docs/rules/";

    public static readonly DiagnosticDescriptor NotDisposed = new(
        "PXP001",
        "What was rented is not disposed",
        "{0}: until a finalizer finds it, it holds memory",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "A buffer, view, lease, pin, owner or scope that nobody disposes keeps its memory until a finalizer finds it.",
        Pages + "PXP001.md");

    public static readonly DiagnosticDescriptor UsedAfterDispose = new(
        "PXP002",
        "Used after it was disposed",
        "'{0}' is disposed here: '{1}' throws ObjectDisposedException",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "On every way to this place the object was disposed.",
        Pages + "PXP002.md");

    public static readonly DiagnosticDescriptor DisposedTwice = new(
        "PXP003",
        "A lease is disposed twice",
        "The lease '{0}' is disposed twice: the second time is counted and reported as a mistake",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "A lease is a struct: it cannot know that it was returned, so the allocator counts and reports every second return.",
        Pages + "PXP003.md");

    public static readonly DiagnosticDescriptor EscapingSpan = new(
        "PXP004",
        "An address of pixels leaves the delegate",
        "This address of pixels leaves the delegate: the memory is valid until the delegate returns",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "Accessors and spans cannot leave a delegate, but addresses taken from them can. Pin the buffer if an address must live longer.",
        Pages + "PXP004.md");

    public static readonly DiagnosticDescriptor EscapingPointer = new(
        "PXP005",
        "A pointer is kept longer than its pin",
        "This pointer comes from the pin '{0}', which is disposed before: the memory may belong to somebody else then",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "The memory is held until the pin is disposed, no longer.",
        Pages + "PXP005.md");

    public static readonly DiagnosticDescriptor CapturingDelegate = new(
        "PXP006",
        "A state would not allocate",
        "This delegate captures {0} and allocates for every call: pass it as the state of a static delegate",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        "A delegate that captures something is a new object for every call, usually with a second one for what it captures.",
        Pages + "PXP006.md");

    public static readonly DiagnosticDescriptor SynchronousRent = new(
        "PXP007",
        "A budget is asked synchronously in an async method",
        "'{0}' throws or blocks a thread when the budget is exhausted: '{1}' waits",
        Category,
        DiagnosticSeverity.Info,
        isEnabledByDefault: true,
        "In an asynchronous method a request can wait for its turn without a thread.",
        Pages + "PXP007.md");

    public static readonly DiagnosticDescriptor HandedOut = new(
        "PXP008",
        "Disposed before the caller gets it",
        "'{0}' is disposed at the end of its block: {1}",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "A 'using' disposes its variable when the block is left, also if the variable is returned or stored there.",
        Pages + "PXP008.md");

    public static readonly DiagnosticDescriptor UndisposedField = new(
        "PXP009",
        "Nothing disposes this field",
        "Nothing in '{0}' disposes '{1}': dispose this {2} in a Dispose method of '{0}'",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "The type rents for a private field, and no code disposes the field or hands it on. A finalizer has to find the memory.",
        Pages + "PXP009.md");

    public static readonly DiagnosticDescriptor DroppedNativePixels = new(
        "PXP010",
        "The result of GiveToNative is dropped",
        "These pixels stay rented forever: they can only be released with the context that 'GiveToNative' returns",
        Category,
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        "No finalizer returns memory that was given to native code. Who releases it needs the context.",
        Pages + "PXP010.md");
}
