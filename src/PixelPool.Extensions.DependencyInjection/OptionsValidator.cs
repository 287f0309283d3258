using Microsoft.Extensions.Options;

namespace PixelPool.Extensions.DependencyInjection;

/// <summary>Says everything that is wrong with the options of an allocator, before anybody rents from it.</summary>
internal sealed class OptionsValidator : IValidateOptions<PixelAllocatorOptions>
{
    public ValidateOptionsResult Validate(string? name, PixelAllocatorOptions options)
    {
        IReadOnlyList<string> problems = options.Validate();
        string subject = string.IsNullOrEmpty(name) ? "PixelPool" : $"PixelPool \"{name}\"";
        return problems.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems.Select(problem => $"{subject}: {problem}"));
    }
}
