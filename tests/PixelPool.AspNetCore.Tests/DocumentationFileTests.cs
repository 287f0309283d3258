using Microsoft.AspNetCore.Builder;
using PixelPool.Testing;

namespace PixelPool.AspNetCore.Tests;

/// <summary>What an editor shows of the package.</summary>
public sealed class DocumentationFileTests() : DocumentationFileTest(typeof(PixelPoolEndpointRouteBuilderExtensions).Assembly);
