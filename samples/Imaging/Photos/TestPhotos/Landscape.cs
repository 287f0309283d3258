using System.Numerics;

namespace Imaging.Photos.TestPhotos;

/// <summary>A lake under mountains: the colour of every place in the picture. Lengths are in picture heights.</summary>
internal sealed class Landscape
{
    private readonly Palette _palette;
    private readonly uint _seed;
    private readonly int _pixelsPerUnit;
    private readonly float _shore;
    private readonly Vector2 _sun;
    private readonly float _cloudiness;
    private readonly Ridge[] _ridges;

    public Landscape(TestPhoto photo)
    {
        _palette = photo.Palette;
        _seed = photo.Seed;
        _pixelsPerUnit = photo.Height;
        float width = (float)photo.Width / photo.Height;
        _shore = 0.64f + (0.12f * Chance(1));
        _sun = new Vector2(width * (0.15f + (0.7f * Chance(2))), 0.12f + (0.3f * Chance(3)));
        _cloudiness = 0.4f + (0.25f * Chance(4));
        _ridges = [.. Enumerable.Range(0, 4).Select(i => new Ridge(
            photo.Width, photo.Height, _shore - 0.005f, distance: 1 - (i / 3.6f), _seed + (100 * (uint)i)))];
    }

    public Vector3 ColorAt(float x, float y) => y < _shore ? AboveWater(x, y) : Water(x, y);

    private float Chance(int which) => FractalNoise.Random(which, 0, _seed);

    private Vector3 AboveWater(float x, float y)
    {
        // From near to far until something covers the place, then back: the edges of nearer chains are half transparent.
        int i = _ridges.Length - 1;
        while (i >= 0 && Cover(_ridges[i], x, y) < 1)
        {
            i--;
        }

        Vector3 color = i < 0 ? Sky(x, y) : Ground(_ridges[i], x, y);
        for (i = Math.Max(i + 1, 0); i < _ridges.Length; i++)
        {
            float cover = Cover(_ridges[i], x, y);
            if (cover > 0)
            {
                color = Vector3.Lerp(color, Ground(_ridges[i], x, y), cover);
            }
        }

        return color;
    }

    private float Cover(Ridge ridge, float x, float y) =>
        Math.Clamp(((y - ridge.SkylineAt(x)) * _pixelsPerUnit) + 0.5f, 0, 1);

    private Vector3 Sky(float x, float y)
    {
        float height = Math.Clamp(1 - (y / _shore), 0, 1);
        Vector3 sky = Vector3.Lerp(_palette.Horizon, _palette.Zenith, MathF.Sqrt(height));

        float toSun = Vector2.Distance(new Vector2(x, y), _sun);
        sky += _palette.Sun * ((0.45f * MathF.Exp(-6 * toSun)) + (0.2f * MathF.Exp(-1.5f * toSun)));

        // Clouds lie on a ceiling: towards the horizon they shrink and crowd.
        float ceiling = 0.6f / (height + 0.25f);
        float noise = FractalNoise.At((x + 3) * 2.2f * ceiling, (ceiling * 4) + 1, 6, _seed + 31);
        float cloud = Math.Clamp((noise - 1 + _cloudiness) * 4.5f, 0, 1) * Math.Clamp(height * 4, 0, 1);
        Vector3 lit = _palette.Cloud * (0.78f + (0.35f * MathF.Exp(-2 * toSun)) - (0.25f * cloud * noise));
        sky = Vector3.Lerp(sky, lit, cloud * 0.85f);

        float disc = Math.Clamp((0.026f - toSun) * 120, 0, 1) * (1 - (0.8f * cloud));
        return Vector3.Lerp(sky, _palette.Sun * 1.1f, disc);
    }

    private Vector3 Ground(Ridge ridge, float x, float y)
    {
        float below = y - ridge.SkylineAt(x);
        Vector2 place = new Vector2(x, y) * (ridge.HasTrees ? new Vector2(90, 34) : new Vector2(16, 22));
        float height = FractalNoise.At(place.X, place.Y, 6, ridge.Seed + 51);
        float towardsLight = FractalNoise.At(place.X + 0.12f, place.Y - 0.16f, 6, ridge.Seed + 51);
        float light = _palette.Light * Math.Clamp(0.75f + (2.6f * (height - towardsLight)), 0.25f, 1.5f);

        float forest = Math.Clamp(((below * 5) + height - 0.55f) * 4, 0, 1);
        Vector3 ground = Vector3.Lerp(_palette.Rock, _palette.Forest, ridge.HasTrees ? 1 : forest) * light;

        // Snow stays on high, gentle slopes.
        float snow = Math.Clamp((0.11f + (0.1f * height) - (below * 1.6f) - (0.5f * Math.Abs(height - towardsLight))) * 18, 0, 1);
        snow *= Math.Clamp((ridge.Distance - 0.6f) * 4, 0, 1);
        ground = Vector3.Lerp(ground, _palette.Cloud * Math.Clamp(light + 0.2f, 0, 1.1f), snow);

        float haze = Math.Clamp((ridge.Distance * 0.45f) + (below * ridge.Distance * 0.7f), 0, 0.9f);
        return Vector3.Lerp(ground, _palette.Haze, haze);
    }

    private Vector3 Water(float x, float y)
    {
        float near = (y - _shore) / (1 - _shore);
        float waves = 1 / (near + 0.06f);
        float ripple = FractalNoise.At((x + 5) * 5 * waves, waves * 34, 4, _seed + 71) - 0.5f;
        float swing = ripple * (0.015f + (0.12f * near));

        Vector3 mirrored = AboveWater(x + (swing * 0.4f), _shore - Math.Max(0.001f, ((y - _shore) * 0.95f) + swing));
        Vector3 water = Vector3.Lerp(mirrored * 0.85f, _palette.Water, 0.15f + (0.45f * near));

        // The sun glitters on the wave flanks that face us, straight below it.
        float path = MathF.Exp(-MathF.Abs(x - _sun.X) * (9 - (5 * near)));
        return water + (_palette.Sun * (path * Math.Clamp((ripple - 0.08f) * 5, 0, 1) * 0.7f));
    }
}
