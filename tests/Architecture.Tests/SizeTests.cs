using Architecture.Tests.Reading;
using Architecture.Tests.Rules;

namespace Architecture.Tests;

/// <summary>What may depend on each other, and how much, in each project of <c>src</c>.</summary>
public sealed class SizeTests
{
    private const int MostTypesInAKnot = 5;
    private const int MostTypesUsedByOne = 20;
    private const int MostFilesOfAType = 5;

    public static TheoryData<string> Projects => [.. Repository.Projects];

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_large_knot_of_types_that_reach_each_other(string project) =>
        Rule.Holds(LargeKnots.Violations(Libraries.Of(project), MostTypesInAKnot));

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_folders_that_use_each_other(string project) =>
        Rule.Holds(FoldersThatUseEachOther.Violations(Libraries.Of(project)));

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_type_that_uses_many_others_but_the_allocator(string project) =>
        Rule.Holds(WideTypes.Violations(Libraries.Of(project), MostTypesUsedByOne, ["PixelAllocator"]));

    [Theory]
    [MemberData(nameof(Projects))]
    public void No_type_in_many_files_but_the_image(string project) =>
        Rule.Holds(SpreadTypes.Violations(Libraries.Of(project), MostFilesOfAType, ["PixelBuffer<1>"]));
}
