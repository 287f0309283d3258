#if NET
using System.Runtime.InteropServices;

namespace PixelPool.Threading;

/// <summary>Linux's system call <c>membarrier</c>: since Linux 4.14, unless a sandbox refuses it. The runtime asks the same when it starts.</summary>
internal static class Membarrier
{
    // Commands of <linux/membarrier.h>.
    private const int Query = 0;
    private const int PrivateExpedited = 1 << 3;
    private const int RegisterPrivateExpedited = 1 << 4;

    // <asm/unistd.h>. Architectures that came later share the numbers of Arm64.
    private static nint Number => RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 324,
        Architecture.Arm => 389,
        Architecture.S390x => 356,
        Architecture.Ppc64le => 365,
        _ => 283,
    };

    /// <summary>Whether the kernel has it, for the threads of this process.</summary>
    public static bool IsSupported()
    {
        nint commands = syscall(Number, Query, 0, 0);
        return commands > 0 && (commands & PrivateExpedited) != 0 && syscall(Number, RegisterPrivateExpedited, 0, 0) == 0;
    }

    [DllImport("libc")]
    private static extern nint syscall(nint number, nint command, nint flags, nint processor);
}
#endif
