using PixelPool.Configuration;

namespace PixelPool;

// What values are allowed.
public sealed partial class PixelAllocatorOptions
{
    /// <summary>Says what is wrong: one sentence for each option that is outside of its range or null where it must not be.</summary>
    /// <returns>Nothing when an allocator can be created with these options.</returns>
    public IReadOnlyList<string> Validate() => [.. Options.Select(static option => option.Problem).OfType<string>()];

    /// <summary>A copy that nobody changes any more.</summary>
    /// <exception cref="ArgumentOutOfRangeException">A value is outside of its range.</exception>
    /// <exception cref="ArgumentNullException">A value is null that must not be.</exception>
    internal PixelAllocatorOptions Validated()
    {
        foreach (OptionState option in Options)
        {
            if (option.Problem is { } problem)
            {
                if (option.Value is null)
                {
                    Throw.ArgumentNull(option.Name);
                }

                Throw.OutOfRange(option.Name, option.Value, problem);
            }
        }

        return (PixelAllocatorOptions)MemberwiseClone();
    }
}
