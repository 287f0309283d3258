using System.Buffers;
using System.Runtime.InteropServices;
using Imaging.Memory;

namespace Imaging.Resizing;

/// <summary>Along one axis: which source rows (or columns) make up each target row, and how much of each.</summary>
/// <remarks>
/// When shrinking, the filter is as much wider as the image gets smaller. At an edge the part outside is left
/// out and the rest weighs more, so that weights always sum to one and flat areas stay flat.
/// </remarks>
internal sealed class FilterWeights : IDisposable
{
    private readonly int _sourceLength;
    private readonly double _scale;
    private readonly double _radius;
    private readonly int _maxTaps;
    private readonly IMemoryOwner<byte> _weights;

    public FilterWeights(int sourceLength, int targetLength, ImageMemory memory)
    {
        _sourceLength = sourceLength;
        _scale = (double)sourceLength / targetLength;
        _radius = Lanczos3.Radius * Math.Max(_scale, 1);
        _maxTaps = (int)Math.Ceiling(2 * _radius) + 1;
        _weights = memory.RentBytes(checked(targetLength * _maxTaps * sizeof(float)));
        for (int target = 0; target < targetLength; target++)
        {
            Fill(target);
        }
    }

    /// <summary>The source row that the first weight belongs to.</summary>
    public int FirstTap(int target) => Math.Max(0, (int)Math.Ceiling(Center(target) - _radius));

    public ReadOnlySpan<float> Taps(int target) => Slots(target)[..TapCount(target)];

    public void Dispose() => _weights.Dispose();

    private int TapCount(int target) =>
        Math.Min(_sourceLength - 1, (int)Math.Floor(Center(target) + _radius)) - FirstTap(target) + 1;

    /// <summary>Where the middle of a target row lies, counted from the middle of the first source row.</summary>
    private double Center(int target) => ((target + 0.5) * _scale) - 0.5;

    private Span<float> Slots(int target) =>
        MemoryMarshal.Cast<byte, float>(_weights.Memory.Span).Slice(target * _maxTaps, _maxTaps);

    private void Fill(int target)
    {
        Span<float> taps = Slots(target)[..TapCount(target)];
        double distance = FirstTap(target) - Center(target);
        double stretch = Lanczos3.Radius / _radius;

        double sum = 0;
        for (int i = 0; i < taps.Length; i++)
        {
            sum += Lanczos3.At((distance + i) * stretch);
        }

        for (int i = 0; i < taps.Length; i++)
        {
            taps[i] = (float)(Lanczos3.At((distance + i) * stretch) / sum);
        }
    }
}
