namespace PixelPool.Threading;

/// <summary>What finalizers do with themselves.</summary>
internal static class Finalization
{
    /// <summary>Lets an object that is being finalized be finalized once more.</summary>
    /// <returns>False when there is no memory for that.</returns>
    public static bool TryRegisterAgain(object finalized)
    {
        try
        {
            GC.ReRegisterForFinalize(finalized);
            return true;
        }
        catch (OutOfMemoryException)
        {
            return false;
        }
    }
}
