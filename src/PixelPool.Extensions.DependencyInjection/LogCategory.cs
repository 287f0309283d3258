namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Under what name everything of PixelPool is logged.</summary>
internal static class LogCategory
{
    public const string Name = "PixelPool";
}
