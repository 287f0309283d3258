namespace PixelPool.Tests.Lifetime;

/// <summary>How an image and its owner, which has a finalizer, are finalized together.</summary>
internal enum FinalizerOrder
{
    /// <summary>The owner is made before the image.</summary>
    OwnerIsOlder,

    /// <summary>The owner is made after the image.</summary>
    OwnerIsYounger,

    /// <summary>The owner's finalizer is a critical one: it comes after the guard's.</summary>
    OwnerIsCritical,
}
