namespace PixelPool.Tests.FixedBlocks;

/// <summary>What an editor shows of the package.</summary>
public sealed class DocumentationFileTests() : DocumentationFileTest(typeof(FixedBlockAllocator<>).Assembly);
