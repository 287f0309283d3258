using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace PixelPool.Analyzers.Tests.Verifying;

/// <summary>Compiles source against the library as it is built here, and analyses it.</summary>
internal static class Compiling
{
    public static readonly CSharpParseOptions Parsing = new(LanguageVersion.Preview);

    private static readonly CSharpCompilationOptions s_options = new(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable);

    public static readonly ImmutableArray<MetadataReference> Platform =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static file => Path.GetFileName(file) != "PixelPool.dll")
            .Select(static file => MetadataReference.CreateFromFile(file)),
    ];

    public static readonly MetadataReference Library = MetadataReference.CreateFromFile(typeof(PixelAllocator).Assembly.Location);

    private const string Usings = """
        using System; using System.Buffers; using System.Collections.Generic; using System.IO; using System.Linq; using System.Runtime.CompilerServices;
        using System.Runtime.InteropServices; using System.Threading; using System.Threading.Tasks; using PixelPool; using PixelPool.Diagnostics;

        """;

    /// <summary>Members of a class, as a file.</summary>
    public static string File(string members) => WithUsings($"public class Sample\n{{\n{members}\n}}\n");

    public static string WithUsings(string types) => Usings + types;

    /// <summary>What analyzers report of a file that compiles, in its order.</summary>
    public static Task<ImmutableArray<Diagnostic>> AnalyzeAsync(string file, params DiagnosticAnalyzer[] analyzers) => AnalyzeAsync([file], analyzers);

    /// <summary>What analyzers report of files that compile together.</summary>
    public static async Task<ImmutableArray<Diagnostic>> AnalyzeAsync(string[] files, params DiagnosticAnalyzer[] analyzers)
    {
        CSharpCompilation compilation = Compile(files);
        Assert.Empty(compilation.GetDiagnostics(TestContext.Current.CancellationToken).Where(static found => found.Severity == DiagnosticSeverity.Error));
        return await AnalyzeAsync(compilation, analyzers);
    }

    /// <summary>Fails where a file does not compile. Some errors are found only when code is made of it: what lives through an <c>await</c>.</summary>
    public static void Emit(string file) =>
        Assert.Empty(Compile(file).Emit(Stream.Null, cancellationToken: TestContext.Current.CancellationToken).Diagnostics.Where(static found => found.Severity == DiagnosticSeverity.Error));

    public static CSharpCompilation Compile(params string[] files) =>
        CSharpCompilation.Create("Sample", [.. files.Select(static file => CSharpSyntaxTree.ParseText(file, Parsing))], [.. Platform, Library], OptionsFor(files[0]));

    /// <summary>Those of a program where a file begins with statements.</summary>
    public static CSharpCompilationOptions OptionsFor(string file) =>
        s_options.WithOutputKind(CSharpSyntaxTree.ParseText(file, Parsing).GetRoot().ChildNodes().Any(static node => node is GlobalStatementSyntax) ? OutputKind.ConsoleApplication : s_options.OutputKind);

    /// <summary>What analyzers report. One that throws fails the test.</summary>
    public static async Task<ImmutableArray<Diagnostic>> AnalyzeAsync(Compilation compilation, params DiagnosticAnalyzer[] analyzers)
    {
        var options = new CompilationWithAnalyzersOptions(
            new AnalyzerOptions([]), onAnalyzerException: null, concurrentAnalysis: true, logAnalyzerExecutionTime: false);
        ImmutableArray<Diagnostic> found = await new CompilationWithAnalyzers(compilation, [.. analyzers], options)
            .GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);
        Assert.DoesNotContain(found, static one => one.Id == "AD0001");
        return [.. found.OrderBy(static one => one.Location.SourceSpan)];
    }
}
