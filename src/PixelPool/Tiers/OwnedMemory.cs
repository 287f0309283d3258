using PixelPool.Lifetime;

namespace PixelPool.Tiers;

/// <summary>All of a rent as <see cref="Memory{T}"/>, with the rent's own reference: it ends when this is disposed.</summary>
/// <param name="guard">The rent. Its owner's reference is taken over.</param>
/// <param name="length">Elements.</param>
internal sealed class OwnedMemory<T>(LifetimeGuard guard, int length) : GuardedMemory<T>(guard, guard.Version, block: 0, offset: 0, length)
    where T : unmanaged
{
    protected override void End(LifetimeGuard guard, uint version) => MemoryTiers.TryReturn(guard, version);
}
