namespace PixelPool.Tests.PlugIns;

/// <summary>What flows with the plug-in's calls: a request's user, a trace, a culture.</summary>
public sealed class PlugInState
{
    private static readonly AsyncLocal<PlugInState?> s_current = new();

    /// <summary>Runs something while the state flows.</summary>
    public static T Run<T>(Func<T> body)
    {
        s_current.Value = new PlugInState();
        try
        {
            return body();
        }
        finally
        {
            s_current.Value = null;
        }
    }
}
