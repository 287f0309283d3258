using Architecture.Tests.Reading;

namespace Architecture.Tests.Rules;

/// <summary>Each rule finds what breaks it, and lets the rest be.</summary>
public sealed class RuleTests
{
    private static readonly Layers s_layers = new([SourceFile.Top], ["Pooling"], ["Lifetime", "Budgets"], ["Native"]);

    [Fact]
    public void Use_of_a_folder_above_is_told_with_its_place() => Assert.Equal(
        ["Native uses Pooling, which is above it:\n  Kernel → Slab   src/Tiny/Native/Kernel.cs:1"],
        UpwardUses.Violations(TinyLibrary.OfUses("Native/Kernel → Pooling/Slab"), s_layers, []));

    [Fact]
    public void Use_of_a_folder_below_or_beside_is_allowed() => Assert.Empty(
        UpwardUses.Violations(TinyLibrary.OfUses("Allocator → Native/Kernel", "Pooling/Slab → Native/Kernel", "Lifetime/Guard → Budgets/Budget"), s_layers, []));

    [Fact]
    public void Only_what_all_speak_of_is_used_from_below_the_top() => Assert.Equal(
        ["Pooling uses (top), which is above it:\n  Slab → Allocator   src/Tiny/Pooling/Slab.cs:1"],
        UpwardUses.Violations(TinyLibrary.OfUses("Pooling/Slab → Options", "Pooling/Slab → Allocator"), s_layers, ["Options"]));

    [Fact]
    public void Name_that_all_speak_of_is_none_of_a_folder() => Assert.Single(
        UpwardUses.Violations(TinyLibrary.OfUses("Native/Kernel → Pooling/Options"), s_layers, ["Options"]));

    [Fact]
    public void Folder_without_a_layer_and_layer_without_a_folder_are_told() => Assert.Collection(
        FoldersInLayers.Violations(TinyLibrary.OfUses("Allocator → Pooling/Slab", "Allocator → Cellar/Wine", "Allocator → Native/Kernel"), s_layers),
        static cellar => Assert.StartsWith("src/Tiny/Cellar is in no layer.", cellar, StringComparison.Ordinal),
        static lifetime => Assert.StartsWith("The layers show Lifetime, but", lifetime, StringComparison.Ordinal),
        static budgets => Assert.StartsWith("The layers show Budgets, but", budgets, StringComparison.Ordinal));

    [Fact]
    public void Name_that_nobody_below_speaks_of_is_told() => Assert.Collection(
        TypesSpokenOfByAll.Violations(TinyLibrary.OfUses("Pooling/Slab → Options", "Allocator → Figures", "Pooling/Slab → Pooling/Block"), ["Options", "Figures", "Block", "Gone"]),
        static unused => Assert.StartsWith("Figures is spoken of by all, but", unused, StringComparison.Ordinal),
        static elsewhere => Assert.StartsWith("Block is spoken of by all, but", elsewhere, StringComparison.Ordinal),
        static missing => Assert.StartsWith("Gone is spoken of by all, but", missing, StringComparison.Ordinal));

    [Fact]
    public void What_all_speak_of_may_not_lead_back_to_itself()
    {
        string found = Assert.Single(TypesSpokenOfByAll.Violations(TinyLibrary.OfUses("Pooling/Slab → Options", "Options → Pooling/Slab"), ["Options"]));

        Assert.EndsWith("\n  Options → Slab   src/Tiny/Options.cs:1\n  Slab → Options   src/Tiny/Pooling/Slab.cs:1", found, StringComparison.Ordinal);
    }

    [Fact]
    public void Folders_that_use_each_other_are_told_with_the_direction_that_is_easier_to_cut() => Assert.Equal(
        ["""
         Budgets and Lifetime use each other, in 1 and 2 places. Cut one direction, perhaps the one with fewer, Budgets → Lifetime:
           Budget → Guard   src/Tiny/Budgets/Budget.cs:1
         """],
        FoldersThatUseEachOther.Violations(TinyLibrary.OfUses("Lifetime/Guard → Budgets/Budget", "Lifetime/Pin → Budgets/Budget", "Budgets/Budget → Lifetime/Guard")));

    [Fact]
    public void Folders_in_a_circle_are_told() => Assert.Equal(
        ["""
         A → B → C → A: folders use each other in a circle. Cut it somewhere:
           One → Two   src/Tiny/A/One.cs:1
           Two → Three   src/Tiny/B/Two.cs:1
           Four → One   src/Tiny/C/Four.cs:1
         """],
        FoldersThatUseEachOther.Violations(TinyLibrary.OfUses("A/One → B/Two", "B/Two → C/Three", "C/Four → A/One")));

    [Fact]
    public void Folders_may_use_the_top_that_uses_them() => Assert.Empty(
        FoldersThatUseEachOther.Violations(TinyLibrary.OfUses("Allocator → Pooling/Slab", "Pooling/Slab → Options", "Pooling/Slab → Pooling/Block", "Pooling/Block → Pooling/Slab")));

    [Fact]
    public void Knot_of_three_is_told_where_two_may_be_and_allowed_where_three_may()
    {
        Library library = TinyLibrary.OfUses("A → B", "B → C", "C → A", "C → B", "C → D");

        Assert.Equal(
            ["""
             3 types reach each other, 2 may: A, B, C.
             Cut it, one cycle after the other. This is a shortest one:
               B → C   src/Tiny/B.cs:1
               C → B   src/Tiny/C.cs:1
             """],
            LargeKnots.Violations(library, mostTypes: 2));
        Assert.Empty(LargeKnots.Violations(library, mostTypes: 3));
    }

    [Fact]
    public void Type_that_uses_many_others_is_told_with_the_first_place_of_each()
    {
        Library library = TinyLibrary.Of("A.cs: class A {\n  B? _b;\n  C? _c;\n  B? _d; }", "B.cs: class B { }", "C.cs: class C { }");

        Assert.Equal(
            ["""
             A uses 2 other types, 1 it may. Take a part with a name of its own out of it:
               A → B   src/Tiny/A.cs:2 and 1 more
               A → C   src/Tiny/A.cs:3
             """],
            WideTypes.Violations(library, mostTypes: 1, except: []));
        Assert.Empty(WideTypes.Violations(library, mostTypes: 2, except: []));
    }

    [Fact]
    public void Delegates_that_a_type_uses_do_not_count()
    {
        Library library = TinyLibrary.Of("A.cs: class A { B? _b; C? _c; D? _d; }", "B.cs: class B { }", "C.cs: delegate void C();", "D.cs: delegate int D();");

        Assert.Empty(WideTypes.Violations(library, mostTypes: 1, except: []));
    }

    [Fact]
    public void Type_in_many_files_is_told_unless_it_may_be()
    {
        Library library = TinyLibrary.Of("A.cs: partial class A { }", "A.One.cs: partial class A { }");

        Assert.Equal(
            ["""
             A is spread over 2 files, 1 it may be. Make types of its parts:
               src/Tiny/A.cs
               src/Tiny/A.One.cs
             """],
            SpreadTypes.Violations(library, mostFiles: 1, except: []));
        Assert.Empty(SpreadTypes.Violations(library, mostFiles: 1, except: ["A"]));
        Assert.Empty(SpreadTypes.Violations(library, mostFiles: 2, except: []));
    }
}
