using Microsoft.Extensions.DependencyInjection;
using PixelPool.Testing;

namespace PixelPool.Extensions.DependencyInjection.Tests;

/// <summary>What an editor shows of the package.</summary>
public sealed class DocumentationFileTests() : DocumentationFileTest(typeof(PixelPoolServiceCollectionExtensions).Assembly);
