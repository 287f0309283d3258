using PixelPool.Diagnostics;

namespace PixelPool.Recording.Tests;

/// <summary>What an editor shows of the package.</summary>
public sealed class DocumentationFileTests() : DocumentationFileTest(typeof(MemoryRecorder).Assembly);
