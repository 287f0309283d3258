namespace PixelPool.Tests.Threading;

/// <summary>Whether a lock is handed on.</summary>
internal static class InTurn
{
    private const int Rounds = 200;

    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(1);

    /// <summary>A thread that leaves the lock and takes it again comes after the one that sleeps there.</summary>
    /// <param name="hold">Does something while it holds the lock.</param>
    public static void Check(Action<Action> hold)
    {
        for (int round = 0; round < Rounds; round++)
        {
            bool had = false;
            var other = new Thread(() => hold(() => had = true)) { IsBackground = true };
            hold(() =>
            {
                other.Start();
                Assert.True(SpinWait.SpinUntil(() => (other.ThreadState & ThreadState.WaitSleepJoin) != 0, s_timeLimit));
            });
            hold(() => Assert.True(had, "it was overtaken"));
            Assert.True(other.Join(s_timeLimit));
        }
    }
}
