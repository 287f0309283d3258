using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Architecture.Tests.Reading;

/// <summary>Reads the source of a project as the compiler does for .NET 10.</summary>
internal static class LibraryReader
{
    private static readonly CSharpParseOptions s_parsing = CSharpParseOptions.Default
        .WithLanguageVersion(LanguageVersion.Preview)
        .WithPreprocessorSymbols(Enumerable.Range(5, 6).Select(static version => $"NET{version}_0_OR_GREATER").Concat(["NET", "NET10_0", "NETCOREAPP", "RELEASE"]));

    private static readonly CSharpCompilationOptions s_options =
        new(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable);

    /// <summary>What the SDK imports into every file.</summary>
    private static readonly SyntaxTree s_implicitUsings = Parse(new SourceFile("(implicit usings)", string.Concat(
        new[] { "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Threading", "System.Threading.Tasks" }
            .Select(static name => $"global using global::{name};"))));

    /// <summary>Those of the runtime alone: names of the assemblies of these tests are not names that a library knows.</summary>
    private static readonly MetadataReference[] s_platform =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static file => Path.GetDirectoryName(file) == Path.GetDirectoryName(typeof(object).Assembly.Location))
            .Select(static file => MetadataReference.CreateFromFile(file)),
    ];

    /// <summary>Packages are not looked for: what a file names of them is an error here, and nobody's use.</summary>
    public static Library Read(string name, IEnumerable<SourceFile> files)
    {
        SyntaxTree[] trees = [.. files.Select(Parse)];
        var compilation = CSharpCompilation.Create(name, [s_implicitUsings, .. trees], s_platform, s_options);
        string[] errors = [.. compilation.GetDiagnostics().Where(static found => found.Severity == DiagnosticSeverity.Error).Select(static found => found.ToString())];

        var reader = new UseReader(compilation);
        Use[] uses = [.. trees.AsParallel().AsOrdered().SelectMany(reader.Read)];
        return new Library(name, reader.Types, uses, errors);
    }

    /// <summary>Parses a file as the compiler does.</summary>
    public static SyntaxTree Parse(SourceFile file) => CSharpSyntaxTree.ParseText(file.Text, s_parsing, file.Path);
}
