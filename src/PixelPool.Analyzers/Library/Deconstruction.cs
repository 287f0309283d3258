using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace PixelPool.Analyzers.Library;

/// <summary>Assignments to several places at once: <c>(a, (b, c)) = …</c> writes all three.</summary>
internal static class Deconstruction
{
    /// <summary>Whether a deconstruction writes what an operation names: it is an element of the target, or of a tuple within that.</summary>
    public static bool Writes(IOperation element)
    {
        IOperation target = element;
        while (target.Parent is ITupleOperation or IDeclarationExpressionOperation or IParenthesizedOperation)
        {
            target = target.Parent;
        }

        return target != element && target.Parent is IDeconstructionAssignmentOperation deconstruction && deconstruction.Target == target;
    }
}
