using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Imaging.Memory;

namespace Imaging.Resizing;

/// <summary>Shrinks the height: every target row is a weighted sum of source rows, whole rows at a time.</summary>
internal static class VerticalPass
{
    public static void Run(ReadOnlyPixelRows<Rgb24> source, PixelRows<Vector3> target, FilterWeights weights)
    {
        for (int y = 0; y < target.Height; y++)
        {
            Span<float> sums = MemoryMarshal.Cast<Vector3, float>(target[y]);
            ReadOnlySpan<float> taps = weights.Taps(y);
            int first = weights.FirstTap(y);

            sums.Clear();
            for (int i = 0; i < taps.Length; i++)
            {
                AddWeighted(sums, MemoryMarshal.AsBytes(source[first + i]), taps[i]);
            }
        }
    }

    /// <remarks>
    /// Multiply and add stay two operations: fused ones would give other thumbnails on other processors. Compiled on its own, because it is called for whole rows: in the
    /// middle of what calls it, the compiler runs out of what it inlines, and the vectors end up in calls.
    /// </remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void AddWeighted(Span<float> sums, ReadOnlySpan<byte> samples, float weight)
    {
        samples = samples[..sums.Length];
        int i = 0;
        for (; i <= samples.Length - Vector<byte>.Count; i += Vector<byte>.Count)
        {
            Vector.Widen(new Vector<byte>(samples[i..]), out Vector<ushort> low, out Vector<ushort> high);
            Vector.Widen(low, out Vector<uint> first, out Vector<uint> second);
            Vector.Widen(high, out Vector<uint> third, out Vector<uint> fourth);
            Span<float> block = sums.Slice(i, Vector<byte>.Count);
            AddWeighted(block, first, weight);
            AddWeighted(block[Vector<float>.Count..], second, weight);
            AddWeighted(block[(2 * Vector<float>.Count)..], third, weight);
            AddWeighted(block[(3 * Vector<float>.Count)..], fourth, weight);
        }

        for (; i < samples.Length; i++)
        {
            sums[i] += samples[i] * weight;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void AddWeighted(Span<float> sums, Vector<uint> samples, float weight) =>
        (new Vector<float>(sums) + (Vector.ConvertToSingle(samples.As<uint, int>()) * weight)).CopyTo(sums);
}
