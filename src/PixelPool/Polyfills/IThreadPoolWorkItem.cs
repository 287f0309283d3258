#if !NET
namespace System.Threading;

internal interface IThreadPoolWorkItem
{
    void Execute();
}
#endif
