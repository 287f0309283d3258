namespace PixelPool.Tests.Documentation;

/// <summary>What an editor shows of the library: the compiler explains everything, the package what its user can use.</summary>
public sealed class DocumentationFileTests() : DocumentationFileTest(typeof(PixelAllocator).Assembly);
