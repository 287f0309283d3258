namespace Imaging.Photos.TestPhotos;

/// <summary>One chain of hills: a skyline with everything below it. Lengths are in picture heights.</summary>
internal sealed class Ridge
{
    private readonly float[] _skyline;
    private readonly int _pixelsPerUnit;

    /// <param name="distance">From 0, at our feet, to 1, at the horizon.</param>
    public Ridge(int columns, int pixelsPerUnit, float foot, float distance, uint seed)
    {
        Distance = distance;
        Seed = seed;
        _pixelsPerUnit = pixelsPerUnit;
        _skyline = new float[columns];
        for (int column = 0; column < columns; column++)
        {
            _skyline[column] = foot - Height((float)column / pixelsPerUnit);
        }
    }

    public float Distance { get; }

    public uint Seed { get; }

    /// <summary>Trees stand only where we are near enough to see them.</summary>
    public bool HasTrees => Distance < 0.25f;

    /// <summary>How far down from the picture's upper edge the chain begins above this place.</summary>
    public float SkylineAt(float x) => _skyline[Math.Clamp((int)(x * _pixelsPerUnit), 0, _skyline.Length - 1)];

    private float Height(float x)
    {
        float frequency = 1.2f + (2 * (1 - Distance));
        float noise = FractalNoise.At(x * frequency, 0.5f, 8, Seed, roughness: 0.48f);
        float folded = 1 - Math.Abs((2 * noise) - 1); // sharp crests instead of round tops
        float hills = HasTrees ? noise * 0.22f : float.Lerp(noise, folded * folded, Distance) * 0.45f * (0.35f + Distance);
        return HasTrees ? hills + Trees(x, 70) + Trees(x + 0.31f, 110) : hills;
    }

    /// <summary>Spruces: triangles of random heights, side by side.</summary>
    private float Trees(float x, float treesPerUnit)
    {
        float position = x * treesPerUnit;
        int tree = (int)MathF.Floor(position);
        float fromTrunk = Math.Abs(position - tree - 0.5f) * 2;
        float height = 0.35f + FractalNoise.Random(tree, 7, Seed);
        return height * (1 - fromTrunk) * 1.6f / treesPerUnit;
    }
}
