using PixelPool.Stress.SmallMemory.Handover;
using PixelPool.Stress.SmallMemory.Images;
using PixelPool.Stress.SmallMemory.Mixed;
using PixelPool.Stress.SmallMemory.Swings;

namespace PixelPool.Stress.SmallMemory;

/// <summary>Small memory beside its peers, in several parts, on one page.</summary>
internal static class SmallScenario
{
    public static void Execute(string folder, SmallPlan plan)
    {
        Directory.CreateDirectory(folder);
        var report = new SmallReport(folder);
        foreach (SmallPart part in plan.Parts.Distinct().Order())
        {
            Execute(part, plan, report);
        }

        report.Save();
    }

    private static void Execute(SmallPart part, SmallPlan plan, SmallReport report)
    {
        switch (part)
        {
            case SmallPart.Images:
                ImagesPart.Execute(report);
                break;
            case SmallPart.Handover:
                HandoverPart.Execute(report);
                break;
            case SmallPart.Mixed:
                MixedPart.Execute(report, plan.Seed);
                break;
            case SmallPart.Swings:
                SwingsPart.Execute(report, plan.Steps, plan.Seed);
                break;
            default:
                throw new ArgumentOutOfRangeException(nameof(part));
        }
    }
}
