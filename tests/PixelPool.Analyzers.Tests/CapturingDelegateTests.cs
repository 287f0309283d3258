namespace PixelPool.Analyzers.Tests;

public sealed class CapturingDelegateTests() : AnalyzerTests(new CapturingDelegateAnalyzer())
{
    [Theory]
    [InlineData("byte v = 1; image.ProcessPixelRows([|a => a.GetRowSpan(0).Fill(v)|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRows([|(PixelAccessor<byte> a) => { a.GetRowSpan(0).Fill(v); }|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRows([|delegate(PixelAccessor<byte> a) { a.GetRowSpan(0).Fill(v); }|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRows(image, [|(a, b) => a.GetRowSpan(0).Fill(v)|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel([|a => a.GetRowSpan(0).Fill(v)|], 2);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel([|a => a.GetRowSpan(0).Fill(v)|], CancellationToken.None);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel(cancellationToken: CancellationToken.None, process: [|a => a.GetRowSpan(0).Fill(v)|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel(image, [|(a, b) => a.GetRowSpan(0).Fill(v)|], CancellationToken.None);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel(image, image, [|(a, b, c) => a.GetRowSpan(0).Fill(v)|], 2);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel(image, image, [|(a, b, c) => a.GetRowSpan(0).Fill(v)|], CancellationToken.None);")]
    [InlineData("byte v = 1; image.ProcessPixelRows(image, image, [|(a, b, c) => a.GetRowSpan(0).Fill(v)|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel([|a => a.GetRowSpan(0).Fill(v)|], 2, CancellationToken.None);")]
    [InlineData("byte v = 1; image.FilterPixelRows(image, [|(a, source) => a.GetRowSpan(0).Fill(v)|]);")]
    [InlineData("byte v = 1; image.FilterPixelRows(image, 2, [|(a, source, s) => a.GetRowSpan(s).Fill(v)|]);")]
    [InlineData("byte v = 1; image.FilterPixelRowsInParallel(image, [|(a, source) => a.GetRowSpan(0).Fill(v)|], 2, CancellationToken.None);")]
    [InlineData("byte v = 1; using var l = allocator.Lease<byte>(1, 1); l.FilterPixelRows(l, [|(a, source) => a.GetRowSpan(0).Fill(v)|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRows([image], [|(a, others) => a.GetRowSpan(0).Fill(v)|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel([image], [|(a, others) => a.GetRowSpan(0).Fill(v)|], 2, CancellationToken.None);")]
    [InlineData("byte v = 1; image.ProcessPixelRows(2, [|(a, s) => a.GetRowSpan(s).Fill(v)|]);")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel([image], 2, [|(a, others, s) => a.GetRowSpan(s).Fill(v)|]);")]
    [InlineData("byte v = 1; int sum = image.ProcessPixelRowsInParallel(2, [|(a, s) => a.GetRowSpan(s)[0] + v|], static (a, b) => a + b);")]
    [InlineData("byte v = 1; int sum = image.ProcessPixelRowsInParallel(image, 2, [|(a, b, s) => a.GetRowSpan(s)[0] + v|], static (a, b) => a + b);")]
    [InlineData("byte v = 1; using var l = allocator.Lease<byte>(1, 1); l.ProcessPixelRows([l], 2, [|(a, others, s) => a.GetRowSpan(s).Fill(v)|]);")]
    [InlineData("byte v = 1; using var l = allocator.Lease<byte>(1, 1); l.ProcessPixelRows([|a => a.GetRowSpan(0).Fill(v)|]);")]
    [InlineData("byte[] sums = new byte[1]; image.ProcessPixelRows([|a => sums[0]++|]);")]
    [InlineData("image.ProcessPixelRows([|a => Console.WriteLine(condition)|]);")]
    [InlineData("int n = 1; image.ProcessPixelRows([|a => Console.WriteLine((from i in Enumerable.Range(0, 3) where i < n select i).Count())|]);")]
    public Task State_could_be_passed(string statements) => FindsIn(statements);

    [Theory]
    [InlineData("image.ProcessPixelRows(a => a.GetRowSpan(0).Fill(1));")]
    [InlineData("const byte v = 1; image.ProcessPixelRows(a => a.GetRowSpan(0).Fill(v));")]
    [InlineData("image.ProcessPixelRows(a => { byte v = 1; void Local() => v++; Local(); a.GetRowSpan(0).Fill(v); });")]
    [InlineData("byte v = 1; image.ProcessPixelRows(v, static (a, value) => a.GetRowSpan(0).Fill(value));")]
    [InlineData("byte v = 1; image.ProcessPixelRowsInParallel(v, static (a, value) => a.GetRowSpan(0).Fill(value), cancellationToken: CancellationToken.None);")]
    [InlineData("image.ProcessPixelRowsInParallel(a => a.GetRowSpan(0).Fill(1), CancellationToken.None);")]
    [InlineData("byte v = 1; image.FilterPixelRows(image, v, static (a, source, value) => a.GetRowSpan(0).Fill(value));")]
    [InlineData("image.ProcessPixelRows([image], (a, others) => a.GetRowSpan(0).Fill(others[0].GetRowSpan(0)[0]));")]
    [InlineData("int v = 1; int sum = image.ProcessPixelRowsInParallel(2, static (a, s) => a.GetRowSpan(s)[0] + 1, (a, b) => a + b + v);")]
    [InlineData("int sum = 0; image.ProcessPixelRowsInParallel([image], 2, (a, others, s) => sum += s);")]
    [InlineData("int sum = 0; image.ProcessPixelRows(a => sum += a.GetRowSpan(0)[0]);")]
    [InlineData("int sum = 0; image.ProcessPixelRows(a => sum++);")]
    [InlineData("int width = 0; image.ProcessPixelRows(a => { (width, int n) = (a.Width, 1); });")]
    [InlineData("int min = 0, max = 0; image.ProcessPixelRows(a => { (int w, (min, max)) = (a.Width, (1, 2)); });")]
    [InlineData("int sum = 0; image.ProcessPixelRows(a => Interlocked.Increment(ref sum));")]
    [InlineData("Point p = default; image.ProcessPixelRows(a => p.X = a.Width);")]
    [InlineData("Point p = default; image.ProcessPixelRows(a => p.Move());")]
    [InlineData("byte* p = null; image.ProcessPixelRows(a => *p = 1);")]
    [InlineData("byte v = 1; image.TryProcessSinglePixelSpan(pixels => pixels.Fill(v));")]
    [InlineData("byte v = 1; Action act = () => Console.WriteLine(v);")]
    [InlineData("int n = 0; void Count() => n++; image.ProcessPixelRows(a => Count());")]
    [InlineData("byte v = 1; PixelAccessorAction<byte> fill = a => a.GetRowSpan(0).Fill(v); image.ProcessPixelRows(fill);")]
    [InlineData("image.ProcessPixelRows(static a => Console.WriteLine((from i in Enumerable.Range(0, 3) where i < 2 select i).Count()));")]
    [InlineData("image.ProcessPixelRows(static a => Console.WriteLine((from i in Enumerable.Range(0, 3) from j in Enumerable.Range(0, i) let k = i + j orderby k select k * j).Sum()));")]
    [InlineData("image.ProcessPixelRows(1, static (a, one) => Console.WriteLine((from i in Enumerable.Range(0, 3) where i < one select i into k select k + 1).Sum()));")]
    [InlineData("image.ProcessPixelRows(static a => { int Twice(int i) => 2 * i; Console.WriteLine(Enumerable.Range(0, 3).Select(i => Twice(i)).Sum()); });")]
    [InlineData("image.ProcessPixelRows(static a => { (int x, int y) = (1, 2); foreach (var (k, v) in new Dictionary<int, int>()) { Console.WriteLine(k + v + x + y); } });")]
    public Task Nothing_is_captured_or_a_copy_would_not_do(string statements) =>
        Finds($"struct Point {{ public int X; public void Move() => X++; }}\n{Method(statements)}");

    [Fact]
    public Task The_object_around_is_captured() => Finds("""
        byte _value;
        void M(PixelBuffer<byte> image) => image.ProcessPixelRows([|a => a.GetRowSpan(0).Fill(_value)|]);
        """);
}
