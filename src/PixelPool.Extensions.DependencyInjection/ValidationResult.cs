using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Problems, with the allocator that has them.</summary>
internal static class ValidationResult
{
    /// <param name="name">The name of the options; empty or null for those of the allocator without a name.</param>
    /// <param name="problems">A sentence each.</param>
    public static ValidateOptionsResult Of(string? name, IReadOnlyCollection<string> problems)
    {
        string subject = string.IsNullOrEmpty(name) ? "PixelPool" : $"PixelPool \"{name}\"";
        return problems.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems.Select(problem => $"{subject}: {problem}"));
    }
}
