using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PixelPool.Analyzers.Tests.Verifying;

/// <summary>The tests of one rule: methods in which <c>[|…|]</c> stands around everything that is to be reported, and around nothing else.</summary>
public abstract class AnalyzerTests
{
    private readonly DiagnosticAnalyzer _analyzer;

    private protected AnalyzerTests(DiagnosticAnalyzer analyzer) => _analyzer = analyzer;

    /// <param name="members">What is in the class.</param>
    /// <param name="types">What is beside it.</param>
    private protected async Task Finds(string members, string types = "")
    {
        var markup = new Markup(Compiling.File(members) + types);
        IEnumerable<Diagnostic> found = await Compiling.AnalyzeAsync(markup.Text, _analyzer);
        Assert.Equal(Markup.Mark(markup.Text, markup.Spans), Markup.Mark(markup.Text, found.Select(static one => one.Location.SourceSpan)));
    }

    /// <summary>The first of these files has the marks; the others are what it uses.</summary>
    private protected async Task FindsInFiles(string marked, params string[] others)
    {
        var markup = new Markup(Compiling.WithUsings(marked));
        IEnumerable<Diagnostic> found = await Compiling.AnalyzeAsync([markup.Text, .. others.Select(Compiling.WithUsings)], _analyzer);
        Assert.Equal(Markup.Mark(markup.Text, markup.Spans), Markup.Mark(markup.Text, found.Select(static one => one.Location.SourceSpan)));
    }

    /// <summary>The statements of a method that gets an allocator, a buffer and a condition.</summary>
    private protected Task FindsIn(string statements) => Finds(Method(statements));

    private protected static string Method(string statements) =>
        $"static unsafe void M(PixelAllocator allocator, PixelBuffer<byte> image, bool condition)\n{{\n{statements}\n}}";
}
