using Architecture.Tests.Graphs;

namespace Architecture.Tests.Reading;

/// <summary>What was read of a project: its types, and which uses which.</summary>
internal sealed class Library(string name, IReadOnlyList<LibraryType> types, IReadOnlyList<Use> uses, IReadOnlyList<string> errors)
{
    /// <summary>The name of the project.</summary>
    public string Name { get; } = name;

    public IReadOnlyList<LibraryType> Types { get; } = types;

    /// <summary>Every place, in the order of the files.</summary>
    public IReadOnlyList<Use> Uses { get; } = uses;

    /// <summary>What the compiler could not make sense of. Uses may be missing there.</summary>
    public IReadOnlyList<string> Errors { get; } = errors;

    public Graph<LibraryType> TypeGraph { get; } = new(uses.Select(static use => (use.From, use.To)));

    /// <summary>The folders that hold types.</summary>
    public IEnumerable<string> Folders => Types.Select(static type => type.Folder).Distinct();

    /// <summary>One line per pair of types: where the first place is, and how many there are.</summary>
    public IEnumerable<string> Steps(IEnumerable<Use> uses) =>
        from use in uses
        group use by (use.From, use.To) into step
        let first = step.First()
        let more = step.Count() - 1
        select $"  {first.From} → {first.To}   src/{Name}/{first.File}:{first.Line}{(more == 0 ? "" : $" and {more} more")}";

    /// <summary>One line per step of a cycle.</summary>
    public IEnumerable<string> StepsAround(IReadOnlyList<LibraryType> cycle) =>
        cycle.Zip(cycle.Skip(1).Append(cycle[0]))
            .SelectMany(step => Steps(Uses.Where(use => use.From == step.First && use.To == step.Second)));
}
