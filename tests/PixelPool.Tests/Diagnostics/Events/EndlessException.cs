namespace PixelPool.Tests.Diagnostics.Events;

/// <summary>What a listener throws that cannot say what it is: the runtime asks it for its message where it has caught it.</summary>
internal sealed class EndlessException : Exception
{
    public override string Message => throw this;
}
