namespace PixelPool.Lifetime;

/// <summary>A reference on a rent that native code releases.</summary>
/// <param name="guard">The rent.</param>
/// <param name="version">The rent's version.</param>
/// <param name="holder">Whose reference it was: reports name where that was made.</param>
internal readonly struct NativeReference(LifetimeGuard guard, uint version, object holder)
{
    public LifetimeGuard Guard { get; } = guard;

    public void Release()
    {
        Guard.OnLetGo(holder);
        Guard.TryRelease(version);
    }
}
