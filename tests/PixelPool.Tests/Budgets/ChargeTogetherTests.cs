using PixelPool.Budgets;
using PixelPool.Tests.Infrastructure;

namespace PixelPool.Tests.Budgets;

/// <summary>A charge of a scope and of those around it happens in one go: nobody is refused because of one that is taken back a moment later.</summary>
public class ChargeTogetherTests
{
    private const int Rounds = 1_000_000;

    [Fact]
    public void What_the_outer_budget_refuses_keeps_nothing_of_the_inner_one()
    {
        var outer = new MemoryBudget(10);
        var inner = new MemoryBudget(10, outer, isReservation: false);
        Assert.True(outer.TryCharge(5));

        // Six fit into the inner one, never into the outer one.
        Compete(inner, tooMuch: 6, inner, fits: 5);
        Assert.Equal((5L, 0L), (outer.ChargedBytes, inner.ChargedBytes));
    }

    [Fact]
    public void What_the_inner_budget_refuses_keeps_nothing_of_the_outer_one()
    {
        var outer = new MemoryBudget(10);
        var inner = new MemoryBudget(4, outer, isReservation: false);
        Compete(inner, tooMuch: 5, outer, fits: 10);
        Assert.Equal((0L, 0L), (outer.ChargedBytes, inner.ChargedBytes));
    }

    [Fact]
    public void Charges_of_scopes_within_scopes_keep_to_every_limit_and_all_come_back()
    {
        var root = new MemoryBudget(1000);
        var outer = new MemoryBudget(700, root, isReservation: false);
        MemoryBudget[] inner = [new MemoryBudget(400, outer, isReservation: false), new MemoryBudget(500, outer, isReservation: false)];
        Simultaneously.Run(6, thread =>
        {
            var random = new Random(thread);
            MemoryBudget budget = thread < 4 ? inner[thread % 2] : thread == 4 ? outer : root;
            for (int i = 0; i < 20_000; i++)
            {
                int bytes = random.Next(1, 300);
                bool belowRoot = random.Next(4) == 0;
                if (budget.TryCharge(bytes, belowRoot))
                {
                    Assert.InRange(root.ChargedBytes, 0, 1000);
                    Assert.InRange(outer.ChargedBytes, 0, 700);
                    Assert.InRange(inner[0].ChargedBytes, 0, 400);
                    Assert.InRange(inner[1].ChargedBytes, 0, 500);
                    budget.Release(bytes, belowRoot);
                }
            }
        });
        Assert.Equal((0L, 0L, 0L, 0L), (root.ChargedBytes, outer.ChargedBytes, inner[0].ChargedBytes, inner[1].ChargedBytes));
    }

    private static void Compete(MemoryBudget refusing, long tooMuch, MemoryBudget granting, long fits)
    {
        bool over = false;
        int refused = 0;
        Simultaneously.Run(2, thread =>
        {
            while (thread == 0 && !Volatile.Read(ref over))
            {
                Assert.False(refusing.TryCharge(tooMuch));
            }

            for (int i = 0; thread == 1 && i < Rounds; i++)
            {
                if (granting.TryCharge(fits))
                {
                    granting.Release(fits);
                }
                else
                {
                    refused++;
                }
            }

            Volatile.Write(ref over, true);
        });
        Assert.Equal(0, refused);
    }
}
