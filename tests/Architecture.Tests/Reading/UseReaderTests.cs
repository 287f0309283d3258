namespace Architecture.Tests.Reading;

public sealed class UseReaderTests
{
    [Fact]
    public void Named_type_is_used_at_the_place_of_its_name()
    {
        Library library = TinyLibrary.Of(
            "Pooling/Depot.cs: class Depot {\n  int _count;\n  Slab? _first; }",
            "Pooling/Slab.cs: class Slab { }");

        Use use = Assert.Single(library.Uses);
        Assert.Equal(("Depot", "Slab", "Pooling/Depot.cs", 3), (use.From.Name, use.To.Name, use.File, use.Line));
        Assert.Equal("  Depot → Slab   src/Tiny/Pooling/Depot.cs:3", Assert.Single(library.Steps(library.Uses)));
    }

    [Fact]
    public void Type_is_used_through_its_member_without_its_name() => AssertUses(
        ["User → Box", "User → Content", "Box → Content"],
        "User.cs: class User { int Size(Box box) => box.Inside.Size; }",
        "Box.cs: class Box { public Content Inside = new(); }",
        "Content.cs: class Content { public int Size = 1; }");

    [Fact]
    public void Type_is_used_through_a_variable_whose_type_is_not_written() => AssertUses(
        ["User → Maker", "User → Made", "Maker → Made"],
        "User.cs: class User { void Use() { var made = Maker.Make(); } }",
        "Maker.cs: class Maker { public static Made? Make() => null; }",
        "Made.cs: class Made { }");

    [Fact]
    public void Extension_is_used_where_it_is_called() => AssertUses(
        ["User → Extensions"],
        "User.cs: class User { int Use() => 1.Twice(); }",
        "Extensions.cs: static class Extensions { public static int Twice(this int number) => number * 2; }");

    [Fact]
    public void Name_of_a_member_is_a_use_too() => AssertUses(
        ["User → Texts"],
        "User.cs: class User { string Use() => nameof(Texts.Of); }",
        "Texts.cs: class Texts { public void Of(int number) { } public void Of(string text) { } }");

    [Fact]
    public void Attribute_base_and_constraint_are_used() => AssertUses(
        ["User<1> → MarkAttribute", "User<1> → Base", "User<1> → Item"],
        "User.cs: [Mark] class User<T> : Base where T : Item { }",
        "MarkAttribute.cs: class MarkAttribute : Attribute { }",
        "Base.cs: class Base { }",
        "Item.cs: class Item { }");

    [Fact]
    public void Nested_types_count_as_the_type_around_them() => AssertUses(
        ["User → Outer<1>"],
        "User.cs: class User { struct Part { Outer<int>.Inner _inner; } }",
        "Outer.cs: class Outer<T> { public struct Inner { Outer<T>? _around; } }");

    [Fact]
    public void Types_of_one_name_differ_in_their_type_parameters() => AssertUses(
        ["Box → Box<1>"],
        "Box.cs: class Box { Box<int>? _box; }",
        "BoxOfT.cs: class Box<T> { }");

    [Fact]
    public void Delegate_uses_nothing_and_is_used() => AssertUses(
        ["User → Handler"],
        "User.cs: class User { Handler? _handler; }",
        "Handler.cs: delegate void Handler(User user);");

    [Fact]
    public void Only_what_is_compiled_for_this_framework_is_read() => AssertUses(
        ["User → New"],
        "User.cs: class User {\n#if NET9_0_OR_GREATER\nNew? _it;\n#else\nOld? _it;\n#endif\n}",
        "New.cs: class New { }",
        "Old.cs: class Old { }");

    [Fact]
    public void Platform_is_not_part_of_the_library() => AssertUses(
        [],
        "User.cs: class User { List<string> _texts = [.. Enumerable.Repeat(\"\", 3)]; }");

    [Fact]
    public void Type_of_several_files_lives_where_the_shortest_name_does()
    {
        Library library = TinyLibrary.Of(
            "Native/Elsewhere/Source.Mapping.cs: partial class Source { }",
            "Native/Source.cs: partial class Source { }",
            "Top.cs: class Top { }");

        Assert.Equal([("Source", "Native"), ("Top", SourceFile.Top)], library.Types.Select(static type => (type.Name, type.Folder)));
        Assert.Equal(["Native/Source.cs", "Native/Elsewhere/Source.Mapping.cs"], library.Types[0].Files);
    }

    [Fact]
    public void What_cannot_be_understood_is_told()
    {
        Library library = TinyLibrary.Of("User.cs: class User {\n  Missing? _it; }");

        Assert.Contains("User.cs(2,3): error CS0246", Assert.Single(library.Errors), StringComparison.Ordinal);
    }

    private static void AssertUses(string[] expected, params string[] files)
    {
        Library library = TinyLibrary.Of(files);
        Assert.Empty(library.Errors);
        Assert.Equal(expected.Order(StringComparer.Ordinal), library.Uses.Select(static use => $"{use.From} → {use.To}").Distinct().Order(StringComparer.Ordinal));
    }
}
