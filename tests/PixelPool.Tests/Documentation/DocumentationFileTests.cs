namespace PixelPool.Tests.Documentation;

/// <summary>What an editor shows of the library: the compiler explains everything, the package what its user can use.</summary>
public sealed class DocumentationFileTests
{
    private static readonly DocumentationFile s_file = new(typeof(PixelAllocator).Assembly);

    [Fact]
    public void It_explains_nothing_but_what_a_user_can_call() => s_file.AssertNothingElseIsExplained();

    [Fact]
    public void It_explains_all_that_a_user_can_call() => s_file.AssertAllIsExplained();

    [Fact]
    public void Its_links_lead_to_what_a_user_has() => s_file.AssertLinksLeadSomewhere();
}
