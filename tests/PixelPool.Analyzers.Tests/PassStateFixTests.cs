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

    private static string In(string statements) => $"static void M(PixelBuffer<byte> image, PixelBuffer<byte> other, int row, byte value)\n{{\n{statements}\n}}";
}
