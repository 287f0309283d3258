using System.Runtime.Intrinsics;

namespace Imaging.Photos.TestPhotos;

/// <summary>Smooth random hills over the plane, with finer ones on top: what clouds, rock and waves are made of.</summary>
internal static class FractalNoise
{
    /// <summary>
    /// Between 0 and 1, ½ on average; every octave is twice as fine as the one before and
    /// <paramref name="roughness"/> as strong.
    /// </summary>
    public static float At(float x, float y, int octaves, uint seed, float roughness = 0.58f)
    {
        float sum = 0;
        float strengths = 0;
        float strength = 1;
        for (int octave = 0; octave < octaves; octave++)
        {
            sum += Smooth(x, y, seed + (uint)octave) * strength;
            strengths += strength;
            strength *= roughness;
            x *= 2.03f; // not quite two, so that the lattices of the octaves do not line up
            y *= 2.03f;
        }

        return sum / strengths;
    }

    /// <summary>Between 0 and 1, the same for the same three numbers, and unlike its neighbours.</summary>
    public static float Random(int x, int y, uint seed) => Hash(x, y, seed) * (1f / uint.MaxValue);

    public static uint Hash(int x, int y, uint seed) =>
        Mix(Vector128.CreateScalar((uint)x), Vector128.CreateScalar((uint)y), seed).ToScalar();

    private static float Smooth(float x, float y, uint seed)
    {
        int left = (int)MathF.Floor(x);
        int top = (int)MathF.Floor(y);
        Vector128<uint> corners = Mix(
            Vector128.Create(left, left + 1, left, left + 1).AsUInt32(),
            Vector128.Create(top, top, top + 1, top + 1).AsUInt32(),
            seed);
        Vector128<float> heights = Vector128.ConvertToSingle((corners >>> 1).AsInt32()) * (1f / int.MaxValue);

        float right = Ease(x - left);
        float above = float.Lerp(heights[0], heights[1], right);
        float below = float.Lerp(heights[2], heights[3], right);
        return float.Lerp(above, below, Ease(y - top));
    }

    private static Vector128<uint> Mix(Vector128<uint> x, Vector128<uint> y, uint seed)
    {
        Vector128<uint> hash = (x * 0x9E3779B1) ^ (y * 0x85EBCA77) ^ Vector128.Create(seed * 0xC2B2AE3D);
        hash = (hash ^ (hash >>> 15)) * 0x2C1B3C6D;
        hash = (hash ^ (hash >>> 12)) * 0x297A2D39;
        return hash ^ (hash >>> 15);
    }

    private static float Ease(float t) => t * t * (3 - (2 * t));
}
