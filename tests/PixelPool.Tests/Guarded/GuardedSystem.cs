namespace PixelPool.Tests.Guarded;

/// <summary>Where rents are guarded.</summary>
internal static class GuardedSystem
{
    public static void SkipElsewhere()
    {
        bool canGuard = OperatingSystem.IsLinux() && IntPtr.Size == 8;
#if !LIBRARY_NETSTANDARD
        canGuard |= OperatingSystem.IsWindows();
#endif
        Assert.SkipUnless(canGuard, "no rent is guarded on this system");
    }
}
