using System.Reflection;

namespace PixelPool.Tests.Diagnostics.Leaks;

/// <summary>A module of an assembly that can be unloaded.</summary>
internal sealed class UnloadableModule : Module
{
    public override Guid ModuleVersionId { get; } = Guid.NewGuid();

    public override Assembly Assembly { get; } = new UnloadableAssembly();

    private sealed class UnloadableAssembly : Assembly
    {
        public override bool IsCollectible => true;
    }
}
