namespace PixelPool.Tests.FixedBlocks;

/// <summary>What an editor shows of the package.</summary>
public sealed class DocumentationFileTests
{
    private static readonly DocumentationFile s_file = new(typeof(FixedBlockAllocator<>).Assembly);

    [Fact]
    public void It_explains_nothing_but_what_a_user_can_call() => s_file.AssertNothingElseIsExplained();

    [Fact]
    public void It_explains_all_that_a_user_can_call() => s_file.AssertAllIsExplained();

    [Fact]
    public void Its_links_lead_to_what_a_user_has() => s_file.AssertLinksLeadSomewhere();
}
