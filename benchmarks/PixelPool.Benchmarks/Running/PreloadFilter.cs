using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Running;
using PixelPool.Measuring;

namespace PixelPool.Benchmarks.Running;

/// <summary>
/// Other allocators are measured where they can differ: methods of the category <see cref="Category"/>, on memory that is touched, of sizes
/// between those that every allocator keeps and those that every allocator maps.
/// </summary>
internal sealed class PreloadFilter : IFilter
{
    public const string Category = "malloc";

    private const int SmallestSize = 1 << 20;
    private const int LargestSize = 16 << 20;

    public bool Predicate(BenchmarkCase benchmarkCase) =>
        benchmarkCase.Job.Id == PreloadedAllocator.SystemName
        || (benchmarkCase.Descriptor.HasCategory(Category)
            && benchmarkCase.Parameters.Items.All(parameter => parameter.Value switch
            {
                bool touched when parameter.Name == "Touched" => touched,
                int size when parameter.Name == "Size" => size is >= SmallestSize and <= LargestSize,
                _ => true,
            }));
}
