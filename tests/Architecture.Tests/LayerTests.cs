using Architecture.Tests.Reading;
using Architecture.Tests.Rules;

namespace Architecture.Tests;

/// <summary>The layers of <c>src/PixelPool</c> are those of <see cref="PixelPoolLayers"/>.</summary>
public sealed class LayerTests
{
    private static Library PixelPool => Libraries.Of("PixelPool");

    [Fact]
    public void All_of_the_source_is_understood() => Rule.Holds(PixelPool.Errors);

    [Fact]
    public void Each_folder_has_its_layer_and_each_layer_its_folder() =>
        Rule.Holds(FoldersInLayers.Violations(PixelPool, PixelPoolLayers.TopToBottom));

    [Fact]
    public void No_folder_uses_one_above_it() =>
        Rule.Holds(
            UpwardUses.Violations(PixelPool, PixelPoolLayers.TopToBottom, PixelPoolLayers.SpokenOfByAll),
            "The layers are in PixelPoolLayers.cs. What must go up goes through a small abstract type that the lower folder declares and the upper one implements; "
            + "or a type lies in the wrong folder. Options, figures and enums of the top that everybody speaks of are on the list below the layers.");

    [Fact]
    public void What_all_speak_of_is_used_below_and_leads_back_to_nothing() =>
        Rule.Holds(TypesSpokenOfByAll.Violations(PixelPool, PixelPoolLayers.SpokenOfByAll));
}
