namespace PixelPool.Diagnostics;

/// <summary>
/// Put this on an assembly that rents on behalf of its callers, such as an adapter for another library. Leak reports leave its frames out: they name the
/// line of the application that called it.
/// </summary>
/// <remarks>
/// <c>[assembly: RentsForCallers]</c> leaves out the frames of the assembly itself, and a second <c>[assembly: RentsForCallers("SixLabors.ImageSharp")]</c> also those of
/// a library that calls it and knows nothing of PixelPool. Only frames at the top of a stack are left out. Where none would be left but those of the base
/// library, as on a thread of the thread pool, the last of them stays. Under Native AOT, where stacks know no assemblies, they stay.
/// </remarks>
/// <param name="assembly">The simple name of an assembly; null for the one that has the attribute.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class RentsForCallersAttribute(string? assembly = null) : Attribute
{
    /// <summary>The simple name of the assembly whose frames are left out; null for the one that has the attribute.</summary>
    public string? Assembly { get; } = assembly;
}
