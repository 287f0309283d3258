using Microsoft.CodeAnalysis;

namespace PixelPool.Analyzers.Library;

/// <summary>Members of the extension blocks of C# 14. They are called as if they were members of the object, but anybody may write them: they may dispose it, keep it, or do nothing.</summary>
internal static class Extension
{
    // "TypeKind.Extension" of newer compilers: the one that this is built against does not know it, the one that runs it may.
    private const TypeKind Block = (TypeKind)14;

    public static bool Is(ISymbol member) => member.ContainingType?.TypeKind == Block;
}
