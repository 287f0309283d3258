namespace PixelPool.Tests.ModelBased;

/// <summary>An allocator and its scopes: images, leases and memory of every tier keep their pixels, and what is rented, held, charged and counted is exact after each step.</summary>
/// <remarks><see cref="ModelRun"/> says how a run is made longer, and repeated.</remarks>
[Trait("Category", "Long")]
public class AllocatorModelTests
{
    private static readonly (int Weight, AllocatorAct Act)[] s_weights =
    [
        (60, AllocatorAct.Rent),
        (50, AllocatorAct.Return),
        (6, AllocatorAct.ReturnAgain),
        (1, AllocatorAct.Forget),
        (12, AllocatorAct.View),
        (12, AllocatorAct.Pin),
        (10, AllocatorAct.Write),
        (10, AllocatorAct.OpenScope),
        (8, AllocatorAct.CloseScope),
        (6, AllocatorAct.Charge),
        (10, AllocatorAct.Trim),
        (6, AllocatorAct.PassTime),
        (3, AllocatorAct.RunShort),
        (8, AllocatorAct.Refuse),
    ];

    [Theory]
    [InlineData(AllocatorVariant.Arrays)]
    [InlineData(AllocatorVariant.KeptArrays)]
    [InlineData(AllocatorVariant.Slabs)]
    [InlineData(AllocatorVariant.Budget)]
    [InlineData(AllocatorVariant.SlabBudget)]
    [InlineData(AllocatorVariant.Divisible)]
    [InlineData(AllocatorVariant.Kernel)]
    [InlineData(AllocatorVariant.Guarded)]
    public void Keeps_pixels_and_accounts(AllocatorVariant variant)
    {
        Assert.SkipUnless(variant is not AllocatorVariant.Kernel and not AllocatorVariant.Guarded || (OperatingSystem.IsLinux() && IntPtr.Size == 8), "the system calls are those of Linux");
        ModelRun.Check(0.2 / 8, s_weights, AllocatorSubject.MostBytes, () => new AllocatorSubject(variant));
    }
}
