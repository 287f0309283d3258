using System.Reflection;

namespace PixelPool.Testing;

/// <summary>What an editor shows of a package.</summary>
public abstract class DocumentationFileTest(Assembly assembly)
{
    private readonly DocumentationFile _file = new(assembly);

    [Fact]
    public void It_explains_nothing_but_what_a_user_can_call() => _file.AssertNothingElseIsExplained();

    [Fact]
    public void It_explains_all_that_a_user_can_call() => _file.AssertAllIsExplained();

    [Fact]
    public void Its_links_lead_to_what_a_user_has() => _file.AssertLinksLeadSomewhere();
}
