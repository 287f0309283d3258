using Microsoft.CodeAnalysis.CSharp;
using PixelPool.CodeFixes;

namespace PixelPool.Analyzers.Tests;

public sealed class PassStateFixTests() : FixTests(new CapturingDelegateAnalyzer(), new PassStateFix())
{
    [Theory]
    [InlineData(
        "image.ProcessPixelRows(a => a.GetRowSpan(0).Fill(value));",
        "image.ProcessPixelRows(value, static (a, value) => a.GetRowSpan(0).Fill(value));")]
    [InlineData(
        "image.ProcessPixelRows((a) => { a.GetRowSpan(0).Fill(value); });",
        "image.ProcessPixelRows(value, static (a, value) => { a.GetRowSpan(0).Fill(value); });")]
    [InlineData(
        "image.ProcessPixelRows((PixelAccessor<byte> a) => a.GetRowSpan(0).Fill(value));",
        "image.ProcessPixelRows(value, static (PixelAccessor<byte> a, byte value) => a.GetRowSpan(0).Fill(value));")]
    [InlineData(
        "image.ProcessPixelRows(a => a.GetRowSpan(row).Fill(value));",
        "image.ProcessPixelRows((row, value), static (a, state) => a.GetRowSpan(state.row).Fill(state.value));")]
    [InlineData(
        "image.ProcessPixelRows((PixelAccessor<byte> a) => a.GetRowSpan(row).Fill(value));",
        "image.ProcessPixelRows((row, value), static (PixelAccessor<byte> a, (int row, byte value) state) => a.GetRowSpan(state.row).Fill(state.value));")]
    [InlineData(
        "image.ProcessPixelRows(other, (a, b) => a.GetRowSpan(row).Fill(b.GetRowSpan(row)[0]));",
        "image.ProcessPixelRows(other, row, static (a, b, row) => a.GetRowSpan(row).Fill(b.GetRowSpan(row)[0]));")]
    [InlineData(
        "image.ProcessPixelRowsInParallel(a => a.GetRowSpan(row).Fill(value), 2);",
        "image.ProcessPixelRowsInParallel((row, value), static (a, state) => a.GetRowSpan(state.row).Fill(state.value), 2);")]
    [InlineData(
        "int state = 1; image.ProcessPixelRows(a => a.GetRowSpan(row + state).Fill(1));",
        "int state = 1; image.ProcessPixelRows((row, state), static (a, state2) => a.GetRowSpan(state2.row + state2.state).Fill(1));")]
    [InlineData(
        "image.ProcessPixelRowsInParallel(a => a.GetRowSpan(row).Fill(value), CancellationToken.None);",
        "image.ProcessPixelRowsInParallel((row, value), static (a, state) => a.GetRowSpan(state.row).Fill(state.value), cancellationToken: CancellationToken.None);")]
    [InlineData(
        "image.ProcessPixelRowsInParallel(other, (a, b) => a.GetRowSpan(0).Fill(value), CancellationToken.None);",
        "image.ProcessPixelRowsInParallel(other, value, static (a, b, value) => a.GetRowSpan(0).Fill(value), cancellationToken: CancellationToken.None);")]
    [InlineData(
        "image.ProcessPixelRowsInParallel(cancellationToken: CancellationToken.None, process: a => a.GetRowSpan(0).Fill(value));",
        "image.ProcessPixelRowsInParallel(cancellationToken: CancellationToken.None, state: value, process: static (a, value) => a.GetRowSpan(0).Fill(value));")]
    [InlineData(
        "image.FilterPixelRows(other, (a, source) => a.GetRowSpan(row).Fill(source.GetRowSpan(row)[0]));",
        "image.FilterPixelRows(other, row, static (a, source, row) => a.GetRowSpan(row).Fill(source.GetRowSpan(row)[0]));")]
    [InlineData(
        "image.FilterPixelRowsInParallel(other, (a, source) => a.GetRowSpan(0).Fill(value), 2, CancellationToken.None);",
        "image.FilterPixelRowsInParallel(other, value, static (a, source, value) => a.GetRowSpan(0).Fill(value), 2, CancellationToken.None);")]
    [InlineData(
        "image.ProcessPixelRows([other], (a, others) => a.GetRowSpan(0).Fill(value));",
        "image.ProcessPixelRows([other], value, static (a, others, value) => a.GetRowSpan(0).Fill(value));")]
    [InlineData(
        "image.ProcessPixelRowsInParallel([other], (a, others) => a.GetRowSpan(0).Fill(value), 2, CancellationToken.None);",
        "image.ProcessPixelRowsInParallel([other], value, static (a, others, value) => a.GetRowSpan(0).Fill(value), 2, CancellationToken.None);")]
    [InlineData(
        "byte @event = 1; image.ProcessPixelRows(a => a.GetRowSpan(0).Fill(@event));",
        "byte @event = 1; image.ProcessPixelRows(@event, static (a, @event) => a.GetRowSpan(0).Fill(@event));")]
    [InlineData(
        "byte @event = 1; image.ProcessPixelRows((PixelAccessor<byte> a) => a.GetRowSpan(row).Fill(@event));",
        "byte @event = 1; image.ProcessPixelRows((row, @event), static (PixelAccessor<byte> a, (int row, byte @event) state) => a.GetRowSpan(state.row).Fill(state.@event));")]
    [InlineData(
        "image.ProcessPixelRows(a => a[0, row] = other[0, row]);",
        "image.ProcessPixelRows((row, other), static (a, state) => a[0, state.row] = state.other[0, state.row]);")]
    [InlineData(
        "image.ProcessPixelRows((PixelAccessor<byte> a) => a[0, 0] = other[0, 0]);",
        "image.ProcessPixelRows(other, static (PixelAccessor<byte> a, PixelPool.PixelBuffer<byte> other) => a[0, 0] = other[0, 0]);")]
    [InlineData(
        "int sum = image.ProcessPixelRows(other, (a, b) => a[0, row] + b[0, row]);",
        "int sum = image.ProcessPixelRows(other, row, static (a, b, row) => a[0, row] + b[0, row]);")]
    [InlineData(
        "int sum = image.ProcessPixelRowsInParallel(a => a[0, 0] + row, static (a, b) => a + b, 2, CancellationToken.None);",
        "int sum = image.ProcessPixelRowsInParallel(row, static (a, row) => a[0, 0] + row, static (a, b) => a + b, 2, CancellationToken.None);")]
    [InlineData(
        "image.ProcessPixelRows(a => { foreach (int i in from i in Enumerable.Range(0, row) where i < value select i) { a[0, i] = 1; } });",
        "image.ProcessPixelRows((row, value), static (a, state) => { foreach (int i in from i in Enumerable.Range(0, state.row) where i < state.value select i) { a[0, i] = 1; } });")]
    public Task Captures_become_a_state(string statement, string expected) => Fixes(In(statement), In(expected));

    [Fact]
    public Task Lines_stay_where_they_are() => Fixes(
        In("""
            image.ProcessPixelRows(accessor =>
            {
                foreach (Span<byte> line in accessor)
                {
                    line.Fill(value); // all of it
                }
            });
            """),
        In("""
            image.ProcessPixelRows(value, static (accessor, value) =>
            {
                foreach (Span<byte> line in accessor)
                {
                    line.Fill(value); // all of it
                }
            });
            """));

    [Fact]
    public Task Object_around_it_is_left_to_the_author() => OffersNothing("""
        byte _value;
        void M(PixelBuffer<byte> image) => image.ProcessPixelRows(a => a.GetRowSpan(0).Fill(_value));
        """);

    [Fact]
    public Task Delegate_that_has_a_state_is_left_to_the_author() => OffersNothing(In("image.ProcessPixelRows(row, (a, r) => a.GetRowSpan(r).Fill(value));"));

    [Theory]
    [InlineData("image.ProcessPixelRows(a => a[0, 0] = other[0, 0]);")]
    [InlineData("image.ProcessPixelRows(a => { a[0, 0] = other[0, 0]; });")]
    [InlineData("image.ProcessPixelRows(a => (int)other[0, 0]);")]
    [InlineData("image.ProcessPixelRowsInParallel(a => a[0, 0] = other[0, a.FirstRow]);")]
    [InlineData("image.ProcessPixelRowsInParallel(a => a[0, 0] = other[0, a.FirstRow], 2, CancellationToken.None);")]
    [InlineData("image.ProcessPixelRows(image, (a, b) => a[0, 0] = other[0, 0]);")]
    [InlineData("image.ProcessPixelRowsInParallel(image, (a, b) => a[0, 0] = other[0, a.FirstRow]);")]
    [InlineData("var l = other.AsLease(); image.AsLease().ProcessPixelRows(a => a[0, 0] = l[0, 0]);")]
    [InlineData("PixelBuffer<byte>[] all = [other]; image.ProcessPixelRows(a => a[0, 0] = all[0][0, 0]);")]
    [InlineData("PixelBuffer<byte>[] all = [other]; image.ProcessPixelRowsInParallel(a => a[0, 0] = all[0][0, a.FirstRow]);")]
    public Task Image_as_the_only_state_would_be_another_one_to_process(string statement) => OffersNothing(In(statement));

    [Fact]
    public Task Before_priorities_of_overloads_a_call_with_an_image_would_be_ambiguous() =>
        OffersNothing(In("image.ProcessPixelRows(a => a[0, 0] = other[0, 0]);"), languageVersion: LanguageVersion.CSharp12);

    [Fact]
    public Task State_whose_type_has_no_name_is_left_to_the_author() =>
        OffersNothing(In("var named = new { Value = value }; image.ProcessPixelRows((PixelAccessor<byte> a) => a[0, 0] = named.Value);"));

    private static string In(string statements) => $"static void M(PixelBuffer<byte> image, PixelBuffer<byte> other, int row, byte value)\n{{\n{statements}\n}}";
}
