namespace PixelPool.Nodes.Lists;

/// <summary>How long each step took until the last thread had done it, in nanoseconds.</summary>
internal sealed record Pass(double Insert, double Iterate, double Clear)
{
    public double Total => Insert + Iterate + Clear;
}
